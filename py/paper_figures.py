"""Measured figures that the lesson quotes, each with its source: facts from papers, not ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """One row of Vaswani et al. 2017, Table 3 (A): newstest2013 dev, d_model = 512."""

    num_heads: int
    d_k: int
    perplexity: float  # per wordpiece
    bleu: float


@dataclass(frozen=True)
class HeadAccuracy:
    """A BERT-base head that follows a syntactic relation; both in % (Clark et al. 2019)."""

    relation: str
    accuracy: float
    baseline: float | None  # the best fixed offset, where the lesson quotes it


@dataclass(frozen=True)
class Pruning:
    """Encoder heads removed, EN-RU WMT (Voita et al. 2019)."""

    heads: int
    removed: int
    bleu_lost: float


@dataclass(frozen=True)
class ModelSize:
    """Sizes of a published model's attention layers; d_k = d_model / num_heads."""

    d_model: int
    num_heads: int

    @property
    def d_k(self) -> int:
        """Features a head works on."""
        return self.d_model // self.num_heads


VASWANI = (
    Variant(1, 512, 5.29, 24.9),
    Variant(4, 128, 5.00, 25.5),
    Variant(8, 64, 4.92, 25.8),
    Variant(16, 32, 4.91, 25.8),
    Variant(32, 16, 5.01, 25.4),
)
BERT_HEADS = {
    "8-10": HeadAccuracy("objeto directo → su verbo", 86.8, 40.0),
    "8-11": HeadAccuracy("determinante → su nombre", 94.3, None),
}
PRUNED = Pruning(heads=48, removed=38, bleu_lost=0.15)
GPT3 = ModelSize(d_model=12_288, num_heads=96)  # Brown et al. 2020, Table 2.1
