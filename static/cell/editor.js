/**
 * CodeMirror for a cell: Python, brackets, search, undo; loaded when a cell is first touched.
 */
import {
  autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { element } from '../shared/dom.js';

const HELP = 'Al escribir, Tab sangra; Esc y Tab salen del editor · Mayús+Intro ejecuta';
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

/** @typedef {import('./cell.js').EditorOptions['inspect']} Inspect */

/**
 * Completions from the live namespace. Offsets are in characters, as Python counts them.
 * @param {Inspect} inspect
 * @returns {import('@codemirror/autocomplete').CompletionSource}
 */
const completer = (inspect) => async (context) => {
  if (!context.explicit && !context.matchBefore(/[\p{L}_][\p{L}\p{N}_.]*$/u)) return null;
  const before = context.state.sliceDoc(0, context.pos);
  const question = { what: 'complete', source: before, offset: [...before].length };
  const found = await inspect({ ...question, patient: context.explicit });
  if (!found?.options.length || context.aborted) return null;
  const typed = [...before].slice(found.from).join('');
  return { from: context.pos - typed.length, options: found.options, validFor: /^[\p{L}\p{N}_]*$/u };
};

/**
 * What a name is, under the pointer.
 * @param {Inspect} inspect
 */
const describer = (inspect) =>
  hoverTooltip(async (view, pos) => {
    const line = view.state.doc.lineAt(pos);
    for (const found of line.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu)) {
      const start = line.from + found.index;
      if (pos < start || pos > start + found[0].length) continue;
      const rest = found[0].slice(pos - start).split('.')[0];
      const name = found[0].slice(0, pos - start) + rest;
      const said = await inspect({ what: 'describe', name });
      if (!said) return null;
      return { pos: start, end: start + name.length, above: true, create: () => ({ dom: card(said) }) };
    }
    return null;
  });

/** @param {{title: string, text: string}} said */
function card({ title, text }) {
  const dom = element('div', 'cm-described');
  dom.append(element('p', '', title), element('pre', '', text));
  return dom;
}

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
 * Whoever walks the page with Tab walks on through an editor; from the first other key on, Tab
 * indents. Esc gives the way out back, also when it closed a list of completions (the editor's own
 * lasts 2 s, too short for slow hands): set once the editor has seen the key.
 */
const wayOut = Prec.highest(
  EditorView.domEventHandlers({
    keydown({ key }, view) {
      if (key === 'Escape') {
        queueMicrotask(() => {
          closeCompletion(view);
          view.setTabFocusMode(true);
        });
      } else if (!['Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(key)) {
        view.setTabFocusMode(false);
      }
      return false;
    },
    mousedown(_, view) {
      view.setTabFocusMode(false);
      return false;
    },
    blur(_, view) {
      view.setTabFocusMode(true);
      return false;
    },
  }),
);

/**
 * @param {HTMLElement} host
 * @param {import('./cell.js').EditorOptions} options
 * @returns {import('./cell.js').Editor}
 */
export function createEditor(host, { source, selection, label, walkedIn, onChange, onRun, onRunNext, inspect }) {
  const run = () => {
    closeCompletion(view);
    if (!view.compositionStarted) onRun(); // Enter may only confirm what an input method proposes
    return true;
  };
  const runNext = () => {
    if (!view.compositionStarted) onRunNext();
    return true;
  };
  const help = element('p', 'editor-help', HELP);
  help.id = `editor-help-${host.closest('section')?.id}`;
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: source,
      selection: { anchor: selection[0], head: selection[1] },
      extensions: [
        wayOut,
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('    '),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        failedLine,
        python(),
        autocompletion({ override: [completer(inspect)], activateOnTypingDelay: 150, icons: false }),
        describer(inspect),
        EditorView.clipboardInputFilter.of(mend),
        syntaxHighlighting(classHighlighter),
        EditorState.phrases.of(PHRASES),
        EditorView.contentAttributes.of({
          'aria-label': label ?? '',
          'aria-describedby': help.id,
          tabindex: '0',
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
          ...completionKeymap,
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
  host.append(help);
  view.setTabFocusMode(walkedIn);
  return {
    get: () => view.state.doc.toString(),
    set: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: isolateHistory.of('full'), // one step of undo, however soon after typing
      }),
    focus: () => view.contentDOM.focus({ preventScroll: true }),
    markLine: (line) => view.dispatch({ effects: mark.of(line) }),
  };
}
