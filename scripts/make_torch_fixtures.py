"""Write tests/fixtures/torch/ from real PyTorch. Run by hand, in an interpreter that has torch.

    make test-torch                                   # installs torch into .venv
    .venv/bin/python scripts/make_torch_fixtures.py

outputs.npz     torch's results for every case of recipe.py (the inputs are drawn from seeds)
numel.json      parameter counts of real modules
readalong.json  the lesson's PyTorch program, its printed output, and its arrays
"""

import contextlib
import io
import itertools
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures" / "torch"
sys.path[:0] = [str(ROOT / "py"), str(FIXTURES)]

import recipe  # noqa: E402


def module_by_torch(config, inputs):
    """Run nn.MultiheadAttention on what recipe.module_inputs returned."""
    state, query, key, value, attn_mask, padding = inputs
    module = nn.MultiheadAttention(
        query.shape[-1], config.num_heads, bias=config.bias, add_bias_kv=config.add_bias_kv,
        add_zero_attn=config.add_zero_attn, kdim=key.shape[-1], vdim=value.shape[-1],
        batch_first=True, dtype=torch.float64).eval()
    module.load_state_dict({name: torch.tensor(array) for name, array in state.items()})
    query, key, value, attn_mask, padding = (
        x if x is None else torch.tensor(x) for x in (query, key, value, attn_mask, padding))
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a float mask beside a bool padding is "deprecated"
        output, attn_weights = module(query, key, value, attn_mask=attn_mask,
                                      key_padding_mask=padding, average_attn_weights=False)
    return output.numpy(), attn_weights.numpy()


def grouped_by_torch(config, inputs):
    """Run F.scaled_dot_product_attention, grouped, between plain matmuls."""
    weights, x, mask = inputs
    w = {name: torch.tensor(array) for name, array in weights.items()}
    x = torch.tensor(x)

    def heads(y, num_heads):
        return y.unflatten(-1, (num_heads, -1)).transpose(1, 2)

    if mask is not None:
        mask = torch.tensor(mask)
        mask = ~mask if mask.dtype == torch.bool else mask  # there True = seen
    output = F.scaled_dot_product_attention(
        heads(x @ w["w_q"], config.num_heads), heads(x @ w["w_k"], config.num_kv_heads),
        heads(x @ w["w_v"], config.num_kv_heads), attn_mask=mask, enable_gqa=True)
    return ((output.transpose(1, 2).flatten(2) @ w["w_o"]).numpy(),)


def outputs():
    results = [module_by_torch(c, recipe.module_inputs(c)) for c in recipe.module_configs()]
    results += [grouped_by_torch(c, recipe.grouped_inputs(c)) for c in recipe.grouped_configs()]
    values = np.concatenate([x.ravel() for result in results for x in result])
    np.savez_compressed(FIXTURES / "outputs.npz", values=values, torch=torch.__version__)
    return len(results)


def numel():
    rows = []
    options = itertools.product((4, 512), (1, 4), (True, False), (True, False), (None, 3),
                                (None, 5))
    for d_model, num_heads, bias, add_bias_kv, kdim, vdim in options:
        kwargs = {"bias": bias, "add_bias_kv": add_bias_kv, "kdim": kdim, "vdim": vdim}
        module = nn.MultiheadAttention(d_model, num_heads, **kwargs, device="meta")
        rows.append({"d_model": d_model, "num_heads": num_heads, **kwargs,
                     "numel": sum(p.numel() for p in module.parameters())})
    for num_heads, bias in itertools.product((1, 8, 16, 32), (True, False)):
        module = nn.MultiheadAttention(512, num_heads, bias=bias, device="meta")
        rows.append({"d_model": 512, "num_heads": num_heads, "bias": bias,
                     "numel": sum(p.numel() for p in module.parameters())})
    lines = ",\n".join(json.dumps(row) for row in rows)
    (FIXTURES / "numel.json").write_text(f"[\n{lines}\n]\n")
    return len(rows)


def readalong():
    program = (FIXTURES / "readalong_program.py").read_text()
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "readalong_program.py", "exec"), names)
    state = {name: array.tolist() for name, array in names["atencion"].state_dict().items()}
    arrays = {name: names[name].detach().tolist() for name in ("x", "salida", "pesos", "media")}
    record = {"torch": torch.__version__.split("+")[0], "program": program,
              "printed": printed.getvalue(), "num_heads": names["atencion"].num_heads,
              "state": state, **arrays}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
                       for name, value in record.items())
    (FIXTURES / "readalong.json").write_text(f"{{\n{lines}\n}}\n")
    return printed.getvalue()


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}: {outputs()} cases, {numel()} parameter counts")
    print(readalong())
    print("mha against torch:", recipe.compare(np.load(FIXTURES / "outputs.npz")["values"]))
