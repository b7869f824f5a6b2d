"""Charts: round ticks, every number in the table, labels that keep apart."""

from __future__ import annotations

import numpy as np
import pytest

import charts
import playground


def drawn(call, *args, **kwargs) -> dict:
    playground.take_displays()
    call(*args, **kwargs)
    (record,) = playground.take_displays()
    return record["payload"]["drawing"]


@pytest.mark.parametrize(
    "low, high, want",
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 500, [0, 100, 200, 300, 400, 500]),
        (-0.9, 2.1, [-1, 0, 1, 2, 3]),
        (3, 3, [3, 4]),
        (0, 0, [0, 0.2]),
    ],
)
def test_ticks_are_round_and_span_the_data(low, high, want):
    found = charts.ticks(low, high)
    assert found[0] <= low and found[-1] >= high and found[-1] > found[0]
    if low != high:
        assert found == pytest.approx(want)


def test_lines_stay_inside_the_frame_and_differ_by_more_than_colour():
    drawing = drawn(
        playground.show_lines,
        {"a": ([0, 1, 2], [3, 1, 2]), "b": ([0, 2], [0, -4])},
        title="t",
        x_label="paso",
    )
    curves = [m[1] for m in drawing["marks"] if m[0] == "path"]
    assert len(curves) == 2
    assert "stroke-dasharray" not in curves[0] and curves[1]["stroke-dasharray"]
    for _, attributes, _ in (m for m in drawing["marks"] if m[0] == "circle"):
        assert 0 <= attributes["cx"] <= drawing["width"]
        assert 0 <= attributes["cy"] <= drawing["height"]
    assert drawing["table"]["head"] == ["paso", "a", "b"]
    assert drawing["table"]["rows"] == [["0", "3", "0"], ["1", "1", ""], ["2", "2", "−4"]]
    assert drawing["label"] == "t: a: de 3 a 2; b: de 0 a −4"


def test_labels_at_the_ends_never_touch():
    same = {f"serie {i}": ([0, 1], [0, 1]) for i in range(4)}
    names = [
        m[1]["y"] for m in drawn(playground.show_lines, same)["marks"] if "name" in m[1]["class"]
    ]
    assert min(np.diff(sorted(names))) >= 16


def test_a_matrix_shows_every_number_and_marks_negative_ones():
    drawing = drawn(playground.show_matrix, [[0.25, -1], [0, 0.5]], ["x", "y"], ["a", "b"])
    numbers = [m[2] for m in drawing["marks"] if "number" in m[1]["class"]]
    assert numbers == ["0,25", "−1", "0", "0,5"]
    squares = [m[1]["class"] for m in drawing["marks"] if m[0] == "rect"]
    assert squares == ["cell-positive", "cell-negative", "cell-positive", "cell-positive"]
    assert drawing["table"]["rows"] == [["x", "0,25", "−1"], ["y", "0", "0,5"]]


def test_a_large_matrix_is_cut_and_says_so():
    drawing = drawn(playground.show_matrix, np.zeros((500, 40)))
    assert len([m for m in drawing["marks"] if m[0] == "rect"]) <= charts.MAX_CELLS
    assert "se dibujan las primeras 40 filas de 500" in drawing["label"]


def test_a_column_is_as_wide_as_its_name_while_there_is_room():
    def names(labels):
        values = np.zeros((1, len(labels)))
        payload = {"title": "", "row_labels": [""], "col_labels": labels, "values": values}
        marks = charts.matrix_drawing(payload)["marks"]
        return [text for _, attributes, text in marks if text in labels or "…" in (text or "")]

    few = [f"cabeza {head}" for head in range(1, 5)]
    assert names(few) == few
    assert names(few * 6)[0].endswith("…")
