"""What the builder shows of heads: flat where it is said to be flat, named where earned."""

import base64
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

import explorers
import mha
import real_heads
from sitegen import plugins
from sitegen.directive import LessonError
from sitegen.execute import execute, last_drawn
from sitegen.lesson import read_lesson
from sitegen.render import render_lesson

LESSON = Path(__file__).resolve().parents[2] / "lesson/31_multihead.md"
FIGURES = plugins.modules(plugins.figures_folder(LESSON))
explorer, model_view = FIGURES["explorer"], FIGURES["model_view"]
FRONT = "---\ntitle: t\ndescription: d\n---\n\n"


def read(body: str):
    return read_lesson(LESSON.with_name("31_l.md"), FRONT + body)


def rendered(body: str) -> str:
    lesson = read(body)
    return str(render_lesson(lesson, execute(lesson)))


def rects(svg: str) -> int:
    return svg.count("<rect")


def test_every_stop_of_the_slider_has_the_same_cost_and_more_maps():
    panels = explorer.explorer_context(512, 512)["panels"]
    assert [p.num_heads for p in panels] == list(explorer.HEADS)
    assert len({(p.parameters, p.multiply_adds) for p in panels}) == 1
    assert panels[0].parameters.replace("\u202f", "") == str(mha.parameter_count(512))
    shares = [p.shares["stored_weights"] for p in panels]
    assert shares == [pytest.approx(100 * h / 64, abs=1e-3) for h in explorer.HEADS]
    assert {p.shares["parameters"] for p in panels} == {100}


@pytest.mark.parametrize("h", explorer.HEADS)
def test_a_vector_is_cut_into_h_and_there_are_h_maps(h):
    svg = explorer.slices_svg(512, 512, h)
    assert rects(svg) == 2 * h
    widths = [float(w) for w in re.findall(r'y="22" width="([\d.]+)"', svg)]
    assert len(set(widths)) == 1 and widths[0] * h <= explorer.WIDTH
    assert all(0 <= float(x) < explorer.WIDTH for x in re.findall(r'<rect[^>]* x="([\d.]+)"', svg))
    assert f"rebanadas de {512 // h}" in svg


def test_the_measured_points_are_the_papers_and_only_where_the_width_is_the_papers():
    panels = explorer.explorer_context(512, 512)["panels"]
    measured = {p.num_heads: p.bleu for p in panels if p.measured}
    paper = {row["num_heads"]: row["bleu"] for row in explorers.VASWANI_2017}
    assert measured == {h: f"{bleu:.1f}".replace(".", ",") for h, bleu in paper.items()}
    assert all(p.plot.count('<circle class="ex-dot') == 5 for p in panels)
    assert [p.plot.count("ex-dot now") for p in panels] == [1, 0, 1, 1, 1, 1, 0]
    assert not any(p.plot for p in explorer.explorer_context(64, 16)["panels"])


def test_a_higher_value_is_drawn_higher():
    svg = explorer.dots_svg([("1", [0.1]), ("2", [0.9])], [0, 1], "y", "dicho", digits=1)
    low, high = (float(y) for y in re.findall(r'cy="([\d.]+)"', svg))
    assert high < low


def test_the_sweep_shows_every_seed():
    context = FIGURES["head_sweep"].sweep_context()
    runs = explorers.head_sweep()
    assert context["plot"].count("<circle") == sum(len(values) for values in runs.values())
    assert [(row.num_heads, row.seeds) for row in context["rows"]] == [(h, 5) for h in runs]


def test_published_models_are_counted_by_mha():
    rows = {row.name: row for row in FIGURES["model_table"].model_rows()}
    gpt3 = rows["GPT-3"]
    assert (gpt3.num_heads, gpt3.d_k, gpt3.even) == ("96", "128", True)
    assert gpt3.parameters == f"{4 * 12_288**2 / 1e6:.1f}".replace(".", ",")
    assert not rows["T5-11B"].even


def test_a_name_is_earned_and_the_pronoun_head_is_the_only_one_of_its_kind():
    names = model_view.head_names()
    assert [place for place, name in names.items() if name.startswith("pronombre")] == ["7-0"]
    habits = real_heads.head_habits()
    for habit, label in model_view.HABITS.items():
        named = {place for place, name in names.items() if name == label}
        for layer, head in np.ndindex(12, 12):
            if f"{layer}-{head}" in named:
                assert habits[habit][layer, head] > real_heads.NAMED_FROM
            elif f"{layer}-{head}" not in names:
                assert habits[habit][layer, head] <= real_heads.NAMED_FROM
    assert {"2-6", "1-7"} <= {place for place, name in names.items() if name == "token siguiente"}
    assert "0-2" not in names  # .55 on the word before: not enough


def test_habits_are_means_over_the_words_of_four_sentences():
    total = np.zeros((12, 12))
    for s in real_heads.sentences():
        total += s.attn_weights[:, :, [*range(2, 11)], [*range(1, 10)]].mean(axis=-1)
    np.testing.assert_allclose(real_heads.head_habits()["previous"], total / 4)


def test_what_the_page_fetches_is_small_and_sums_to_one():
    files = model_view.files()
    assert len(files) == 4
    for s, (address, content) in zip(real_heads.sentences(), files.items(), strict=True):
        assert re.fullmatch(rf"cabezas/{s.name}-[0-9a-f]{{12}}\.json", address)
        assert len(gzip.compress(content)) <= 30_000
        record = json.loads(content)
        levels = np.frombuffer(base64.b64decode(record["levels"]), np.uint8)
        weights = levels.reshape(record["shape"]).astype(float)
        assert (weights.sum(axis=-1) == 255).all()
        assert np.abs(weights / 255 - s.attn_weights).max() < 1 / 255
        assert record["tokens"] == s.words


def test_of_pictures_redrawn_while_a_cell_runs_the_last_stays():
    def display(kind, title, number):
        return {"kind": kind, "target": None, "payload": {"title": title, "number": number}}

    drawn = [display("lines", "a", 1), display("heads", "a", 2), display("lines", "a", 3),
             display("lines", "", 4), display("lines", "", 5)]  # fmt: skip
    assert [d["payload"]["number"] for d in last_drawn(drawn)] == [3, 2, 4, 5]


def test_a_cell_that_awaits_is_run_by_the_builder():
    lesson = read("```{code-cell} python\n:name: espera\nimport asyncio\n"
                  "await asyncio.sleep(0)\n3\n```\n")  # fmt: skip
    assert execute(lesson)["espera"].result == "3"


@pytest.mark.parametrize(
    "body, complaint",
    [
        ("```{explorer}\n:name: e\n:d-model: 96\n:seq-len: 8\n```\n", "31_l.md:6: d-model 96"),
        ("```{explorer}\n:name: e\n:d-model: x\n:seq-len: 8\n```\n", "31_l.md:6: :d-model: 'x'"),
        ("```{explorer}\n:name: e\n:seq-len: 8\n```\n", "lacks :d-model:"),
        ("```{model-view}\n```\n", "lacks :name:"),
        ("```{head-sweep}\n:from: x\n```\n", "has no option :from:"),
    ],
)
def test_a_wrong_directive_stops_the_build(body, complaint):
    with pytest.raises(LessonError, match=re.escape(complaint)):
        read(body)


def test_captions_are_markdown_and_one_panel_is_open():
    html = rendered("```{explorer}\n:name: e\n:d-model: 512\n:seq-len: 8\nCon **tinta**.\n```\n")
    assert "<strong>tinta</strong>" in html
    assert html.count('class="ex-panel"') == len(explorer.HEADS)
    assert len(re.findall(r'class="ex-panel"[^>]*"(?! hidden)>', html)) == 1


def test_the_models_signs_are_text_and_its_licence_is_told():
    html = rendered("```{model-view}\n:name: v\n4 bits, MIT.\n```\n")
    assert "&lt;s&gt;" in html and "<s>" not in html
    assert "4 bits, MIT." in html
    assert "cuantizado a 4 bits" in LESSON.read_text("utf-8")
