"""The two layers of attention train in the page: real Pyodide, real NumPy."""

from playwright.sync_api import Page, expect

TRAIN = """
import training
model, recent = training.TwoLayerModel(rng=0), []
for progress in training.train(model, 150, rng=100):
    recent = [*recent[-9:], progress["accuracy"]]
print("llega" if sum(recent) / 10 >= 0.95 else "no llega", model.step)
"""


def cell(lesson: Page):
    return lesson.get_by_role("region", name="Celda 1", exact=False).first


def run(lesson: Page, source: str) -> None:
    cell(lesson).get_by_role("textbox").fill(source)
    cell(lesson).get_by_role("button", name="Ejecutar").first.click()


def test_training_reaches_95_percent_in_the_page(lesson):
    run(lesson, TRAIN)
    expect(cell(lesson).get_by_role("log")).to_contain_text("llega 150", timeout=120_000)
    expect(cell(lesson).get_by_role("log")).not_to_contain_text("no llega")
