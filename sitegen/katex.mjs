// Formulas to HTML+MathML with KaTeX: JSON in ([{tex, display}]), JSON out ([{html} | {error}]).
import { readFileSync } from "node:fs";
import katex from "katex";

const formulas = JSON.parse(readFileSync(0, "utf8"));
const render = ({ tex, display }) => {
  try {
    return {
      html: katex.renderToString(tex, {
        displayMode: display,
        output: "htmlAndMathml",
        throwOnError: true,
        strict: "error",
      }),
    };
  } catch (error) {
    return { error: String(error.message) };
  }
};
process.stdout.write(JSON.stringify(formulas.map(render)));
