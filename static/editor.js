/**
 * CodeMirror for a cell: Python, brackets, search, undo; loaded when a cell is first touched.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

const PHRASES = {
  Find: 'Buscar',
  Replace: 'Reemplazar',
  next: 'siguiente',
  previous: 'anterior',
  all: 'todas',
  'match case': 'mayúsculas',
  'by word': 'palabra entera',
  regexp: 'expresión regular',
  replace: 'reemplazar',
  'replace all': 'reemplazar todo',
  close: 'cerrar',
};

/** @type {import('@codemirror/state').StateEffectType<number|null>} */
const mark = StateEffect.define();
const failedLine = StateField.define({
  create: () => Decoration.none,
  update(lines, change) {
    if (change.docChanged) return Decoration.none;
    for (const effect of change.effects) {
      if (!effect.is(mark)) continue;
      const { value } = effect;
      if (value === null || value > change.state.doc.lines) return Decoration.none;
      const at = change.state.doc.line(value).from;
      return Decoration.set([Decoration.line({ class: 'cm-failed-line' }).range(at)]);
    }
    return lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Pasted code as Python can read it: plain spaces for the invisible ones, spaces for tabs.
 * @param {string} text
 */
const mend = (text) =>
  text
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll('\t', '    ');

/**
 * @param {HTMLElement} host
 * @param {import('./cell.js').EditorOptions} options
 * @returns {import('./cell.js').Editor}
 */
export function createEditor(host, { source, selection, label, onChange, onRun, onRunNext }) {
  const run = () => {
    onRun();
    return true;
  };
  const runNext = () => {
    onRunNext();
    return true;
  };
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: source,
      selection: { anchor: selection[0], head: selection[1] },
      extensions: [
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('    '),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        failedLine,
        python(),
        EditorView.clipboardInputFilter.of(mend),
        syntaxHighlighting(classHighlighter),
        EditorState.phrases.of(PHRASES),
        EditorView.contentAttributes.of({
          'aria-label': label ?? '',
          autocapitalize: 'off',
          autocorrect: 'off',
          spellcheck: 'false',
        }),
        keymap.of([
          { key: 'Shift-Enter', run },
          { key: 'Ctrl-Enter', run },
          { key: 'Mod-Enter', run },
          { key: 'Alt-Enter', run: runNext },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.contentDOM.focus({ preventScroll: true }),
    markLine: (line) => view.dispatch({ effects: mark.of(line) }),
  };
}
