// What cells draw, as HTML that reads without scripts, by the very modules that draw in the page:
// JSON in ([{kind, payload}]), JSON out ([{html} | {error}]).
import { readFileSync } from "node:fs";
import { figure } from "../static/charts/figure.js";
import { staticFigure } from "../static/heatmap/figure.js";
import { el } from "../static/heatmap/html.js";

const draw = ({ kind, payload }) => {
  try {
    return { html: String(kind === "heads" ? staticFigure(payload) : figure(el, kind, payload)) };
  } catch (error) {
    return { error: String(error.message) };
  }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(draw)));
