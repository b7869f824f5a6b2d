"""Train two layers of multi-head attention on a toy task, with a backward pass written by hand.

Model → gradients → Adam → training loop → what each head has become. No MLP, no
normalisation: what the network learns, its heads learn (Olsson et al., "In-context Learning and
Induction Heads", 2022). The attention is ``mha``'s, step by step, since the backward pass needs
what is in between.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import numpy as np

import mha
from training_tasks import Batch, repeated_segments, two_token_context

__all__ = [
    "TwoLayerModel", "accuracy", "head_scores", "letters", "repeated_segments", "train",
    "two_token_context",
]  # fmt: skip

# ---------------------------------------------------------------------------------- model


class TwoLayerModel:
    """Token + position → two layers of causal multi-head attention, each added → logits.

    Every parameter is a view of one flat vector, ``parameters``; ``gradients`` has the same
    layout. Adam then updates all of them in a handful of calls, which is what counts where each
    NumPy call is dear.

    Parameters
    ----------
    vocabulary, seq_len, d_model, num_heads : int
        num_heads divides d_model.
    rng : numpy.random.Generator or int
        Where the starting weights come from.
    """

    num_layers = 2

    def __init__(
        self, vocabulary=16, seq_len=16, d_model=32, num_heads=2, *, rng=0, dtype=np.float32
    ):
        mha.parameter_count(d_model, num_heads)  # refuses a num_heads that doesn't divide d_model
        self.num_heads, self.step = num_heads, 0
        self.scale = np.array((d_model // num_heads) ** -0.5, dtype)  # 1/√d_k
        square = (d_model, d_model)
        shapes = {"tokens": (vocabulary, d_model), "positions": (seq_len, d_model)}
        for layer in range(self.num_layers):
            shapes |= {f"{name}{layer}": square for name in ("w_q", "w_k", "w_v", "w_o")}
        shapes["logits"] = (d_model, vocabulary)
        size = sum(rows * columns for rows, columns in shapes.values())
        self.parameters, self.gradients = np.zeros(size, dtype), np.zeros(size, dtype)
        self.first, self.second = np.zeros(size, dtype), np.zeros(size, dtype)  # Adam's moments
        self.p, self.g = _views(self.parameters, shapes), _views(self.gradients, shapes)
        rng = np.random.default_rng(rng)
        for name, view in self.p.items():
            scale = 0.5 if name in ("tokens", "positions") else d_model**-0.5
            view[:] = rng.normal(0, scale, view.shape)

    def forward(self, inputs: np.ndarray):
        """Logits for each position, and what the backward pass needs.

        Returns
        -------
        logits : (batch, n, vocabulary) ndarray
        x : (batch, n, d_model) ndarray
            After the last layer.
        saved : list of (x, q, k, v, attn_weights, merged)
            One a layer; q, k, v (batch, h, n, d_k), attn_weights (batch, h, n, n).
        """
        p = self.p
        x = p["tokens"][inputs] + p["positions"][: inputs.shape[1]]  # (batch, n, d_model)
        saved, hidden = [], mha.causal_mask(inputs.shape[1])
        for layer in range(self.num_layers):
            q, k, v = (
                mha.split_heads(x @ p[f"{name}{layer}"], self.num_heads)
                for name in ("w_q", "w_k", "w_v")
            )
            scores = q @ k.swapaxes(-1, -2) * self.scale  # (batch, h, n, n)
            attn_weights = mha.softmax(scores, mask=hidden)
            merged = mha.merge_heads(attn_weights @ v)  # (batch, n, d_model)
            saved.append((x, q, k, v, attn_weights, merged))
            x = x + merged @ p[f"w_o{layer}"]
        return x @ p["logits"], x, saved

    def attn_weights(self, inputs: np.ndarray) -> np.ndarray:
        """Maps of both layers for one sequence: (n,) int → (2, num_heads, n, n)."""
        _, _, saved = self.forward(np.asarray(inputs)[None])
        return np.stack([layer[4][0] for layer in saved])

    def as_mha(self, layer: int) -> mha.MultiHeadAttention:
        """One layer's weights inside an ``mha.MultiHeadAttention``: call it with causal=True."""
        weights = (self.p[f"{name}{layer}"] for name in ("w_q", "w_k", "w_v", "w_o"))
        return mha.MultiHeadAttention.from_weights(*weights, self.num_heads)

    def ablate(self, *heads: tuple[int, int]) -> TwoLayerModel:
        """Copy with these heads switched off: their rows of W_o are 0, as in ``mha``'s `ablate`.

        Michel et al., "Are Sixteen Heads Really Better than One?" (2019): the score without a
        head tells what it is worth to the task. The copy is complete: it can be trained on.

        Parameters
        ----------
        *heads : (layer, head)
            Counted from 0.

        Raises
        ------
        ValueError
            For a layer or a head that there isn't.
        """
        other = copy.copy(self)
        for name in ("parameters", "gradients", "first", "second"):
            setattr(other, name, getattr(self, name).copy())
        shapes = {name: view.shape for name, view in self.p.items()}
        other.p, other.g = _views(other.parameters, shapes), _views(other.gradients, shapes)
        for layer, head in heads:
            if not (0 <= layer < self.num_layers and 0 <= head < self.num_heads):
                raise ValueError(
                    f"no hay cabeza ({layer}, {head}): las capas van de 0 a "
                    f"{self.num_layers - 1}; las cabezas, de 0 a {self.num_heads - 1}."
                )
            w_o = other.p[f"w_o{layer}"]
            np.split(w_o, self.num_heads)[head][:] = 0  # a view: its d_v rows
        return other

    # ------------------------------------------------------------------------- gradients

    def loss_and_gradients(self, inputs, targets, counted) -> tuple[float, float]:
        """Cross-entropy and accuracy over the counted positions; fills ``self.gradients``.

        Each line undoes one of `forward`, in reverse order; d_… is the gradient of the loss.
        """
        p, g = self.p, self.g
        logits, x, saved = self.forward(inputs)
        probabilities = mha.softmax(logits)
        count = counted.sum()
        hits = _hits(logits, targets, counted)
        chosen = np.take_along_axis(probabilities, targets[..., None], axis=-1)[..., 0]
        loss = -np.log(chosen[counted] + 1e-12).mean()

        d_logits = probabilities  # ∂loss/∂logits = (probabilities − one-hot target) / count
        d_logits[np.arange(len(inputs))[:, None], np.arange(inputs.shape[1]), targets] -= 1
        d_logits *= (counted / count).astype(d_logits.dtype)[..., None]
        g["logits"][:] = _outer(x, d_logits)
        d_x = d_logits @ p["logits"].T
        for layer in reversed(range(self.num_layers)):
            d_x = self._layer_backward(layer, d_x, *saved[layer])
        g["positions"][:] = 0
        g["positions"][: inputs.shape[1]] = d_x.sum(axis=0)
        one_hot = np.eye(len(p["tokens"]), dtype=d_x.dtype)[inputs]
        g["tokens"][:] = _outer(one_hot, d_x)
        return float(loss), hits

    def _layer_backward(self, layer, d_x, x, q, k, v, attn_weights, merged):
        """Gradients of one layer's weights; returns the gradient of its input (batch, n, d_model).

        With A = softmax(S):  d_S = A ⊙ (d_A − Σ_j d_A ⊙ A).  A is 0 where the mask hides.
        """
        w_q, w_k, w_v, w_o = (self.p[f"{name}{layer}"] for name in ("w_q", "w_k", "w_v", "w_o"))
        self.g[f"w_o{layer}"][:] = _outer(merged, d_x)
        d_heads = mha.split_heads(d_x @ w_o.T, self.num_heads)
        d_v = attn_weights.swapaxes(-1, -2) @ d_heads
        d_weights = d_heads @ v.swapaxes(-1, -2)
        d_weights -= (d_weights * attn_weights).sum(axis=-1, keepdims=True)
        d_weights *= attn_weights
        d_scores = d_weights * self.scale
        d_q, d_k = d_scores @ k, d_scores.swapaxes(-1, -2) @ q
        d_q, d_k, d_v = (mha.merge_heads(d) for d in (d_q, d_k, d_v))
        self.g[f"w_q{layer}"][:] = _outer(x, d_q)
        self.g[f"w_k{layer}"][:] = _outer(x, d_k)
        self.g[f"w_v{layer}"][:] = _outer(x, d_v)
        return d_x + d_q @ w_q.T + d_k @ w_k.T + d_v @ w_v.T

    def adam_step(self, learning_rate: float, beta1: float = 0.9, beta2: float = 0.98) -> None:
        """One step of Adam (Kingma and Ba, 2015) from ``self.gradients``."""
        self.step += 1
        self.first += (1 - beta1) * (self.gradients - self.first)
        self.second += (1 - beta2) * (self.gradients**2 - self.second)
        size = np.sqrt(self.second / (1 - beta2**self.step)) + 1e-8
        self.parameters -= learning_rate / (1 - beta1**self.step) * self.first / size


def _views(flat: np.ndarray, shapes: dict[str, tuple[int, int]]) -> dict[str, np.ndarray]:
    ends = np.cumsum([rows * columns for rows, columns in shapes.values()])
    pieces = np.split(flat, ends[:-1])
    return {name: piece.reshape(shapes[name]) for name, piece in zip(shapes, pieces, strict=True)}


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Σ over batch and position of a bᵀ: (batch, n, r), (batch, n, c) → (r, c)."""
    return a.reshape(-1, a.shape[-1]).T @ b.reshape(-1, b.shape[-1])


# ------------------------------------------------------------------------------- training


def train(
    model: TwoLayerModel,
    steps: int = 150,
    *,
    task: Callable[..., Batch] = repeated_segments,
    batch: int = 16,
    learning_rate: float = 2e-2,
    warm_up: int = 20,
    rng: np.random.Generator | int = 0,
) -> Iterator[dict]:
    """Train, one step at a time: ``for progress in train(model): …``.

    Every batch is new, so the accuracy, taken before learning from it, is that of unseen data.
    The model learns in place: whoever stops the loop keeps what was learned, and calling again
    with the same model goes on.

    Yields
    ------
    progress : dict
        ``step`` (of the model, from 1), ``loss`` (nats), ``accuracy`` (0 to 1).
    """
    rng = np.random.default_rng(rng)
    seq_len, vocabulary = len(model.p["positions"]), len(model.p["tokens"])
    for done in range(steps):
        loss, accuracy = model.loss_and_gradients(
            *task(rng, batch, seq_len=seq_len, vocabulary=vocabulary)
        )
        cooled = 0.1 + 0.9 * np.cos(np.pi * done / (2 * steps)) ** 2  # from 1 down to a tenth
        model.adam_step(learning_rate * cooled * min(1, (model.step + 1) / warm_up))
        yield {"step": model.step, "loss": loss, "accuracy": accuracy}


def accuracy(model: TwoLayerModel, batch: Batch) -> float:
    """Share of the counted positions whose next token is guessed, 0 to 1; nothing is learned."""
    inputs, targets, counted = batch
    logits, _, _ = model.forward(inputs)
    return _hits(logits, targets, counted)


def _hits(logits, targets, counted) -> float:
    return float((logits.argmax(axis=-1) == targets)[counted].mean())


# -------------------------------------------------------------- what each head has become


def head_scores(attn_weights: np.ndarray, inputs: np.ndarray) -> dict[str, np.ndarray]:
    """How much each head is a previous-token head, and how much an induction head.

    Parameters
    ----------
    attn_weights : (num_layers, num_heads, n, n) ndarray
        As `TwoLayerModel.attn_weights` gives them.
    inputs : (n,) ndarray of int

    Returns
    -------
    scores : dict
        ``"previous"``: mean weight on the token before, up to the first token that comes again:
        later rows need no such head, and training leaves them free. ``"induction"``: mean weight,
        where this token has been seen before, on what followed it then. Each
        (num_layers, num_heads).
    """
    inputs = np.asarray(inputs)
    followed = np.zeros((len(inputs), len(inputs)), bool)  # [i, j]: token j−1 equals token i
    followed[:, 1:] = inputs[:, None] == inputs[None, :-1]
    followed &= np.tri(len(inputs), dtype=bool)
    rows = followed.any(axis=-1)
    first_copy = rows.argmax() if rows.any() else len(inputs) - 1
    before = np.diagonal(attn_weights, offset=-1, axis1=-2, axis2=-1)  # [i]: from i + 1 to i
    previous = before[..., :first_copy].mean(axis=-1)
    weight = np.where(followed, attn_weights, 0).sum(axis=-1)[..., rows]
    induction = weight.mean(axis=-1) if rows.any() else np.zeros(attn_weights.shape[:2])
    return {"previous": previous, "induction": induction}


def letters(tokens) -> list[str]:
    """Token numbers as letters, to show them: 0 → a, 1 → b…"""
    return [chr(ord("a") + int(token)) for token in tokens]
