"""What multi-head attention costs: parameters, multiply-adds, stored weights."""

import math

import mha_checks as checks
import mha_parameters as parameters


def parameter_count(d_model, num_heads=1, *, bias=False, d_k=None, d_v=None, num_kv_heads=None,
                    kdim=None, vdim=None, add_bias_kv=False):
    """Parameters of the module; arguments as MultiHeadAttention's (add_zero_attn has none).

    With h·d_k = h·d_v = d_model (the default) it is 4·d_model², plus 4·d_model biases: h is not
    in it, since more heads only cut the same matrices into more slices. It does grow with h when
    d_k or d_v are fixed by hand, and shrinks with num_kv_heads.

    Examples
    --------
    >>> parameter_count(512, 1), parameter_count(512, 8), parameter_count(512, 8, bias=True)
    (1048576, 1048576, 1050624)
    """
    sizes = checks.sizes(d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
    there = parameters.present(bias, add_bias_kv)
    return sum(math.prod(shape) for name, shape in parameters.shapes(*sizes).items()
               if name.startswith(there))


def multiply_adds(n_q, d_model, num_heads=1, *, n_k=None, d_k=None, d_v=None, num_kv_heads=None,
                  kdim=None, vdim=None, add_bias_kv=False, add_zero_attn=False):
    """Multiply-adds of the matrix products for one sequence; n_k defaults to n_q.

    Self-attention with h·d_k = h·d_v = d_model: 4·n·d² + 2·n²·d, the same as one head of full
    width, whatever h is; the quadratic part passes the projections at n = 2d. Not the same, and
    not counted here: scaling, mask, exp and division of h·n_q·n_k scores, and as many stored
    weights (softmax_entries): these grow with h. So do the products when d_k or d_v are fixed
    by hand.

    Examples
    --------
    >>> multiply_adds(10, 64, 1) == multiply_adds(10, 64, 8) == 4*10*64**2 + 2*10**2*64
    True
    """
    n_q, n_k = checks.lengths(n_q, n_k)
    extra = checks.flag("add_bias_kv", add_bias_kv) + checks.flag("add_zero_attn", add_zero_attn)
    d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim = checks.sizes(
        d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
    project_in = n_q * d_model * num_heads * d_k + n_k * num_kv_heads * (kdim * d_k + vdim * d_v)
    scores_and_mix = num_heads * n_q * (n_k + extra) * (d_k + d_v)
    project_out = n_q * num_heads * d_v * d_model
    return project_in + scores_and_mix + project_out


def softmax_entries(num_heads, n_q, n_k=None):
    """Scores that are scaled, masked, exponentiated and stored: h·n_q·n_k, which grows with h."""
    n_q, n_k = checks.lengths(n_q, n_k)
    return checks.integer("num_heads", num_heads, 1) * n_q * n_k
