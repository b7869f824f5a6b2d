// The reader's own sentence: a text field whose text goes to whoever can draw it.

import { el, freshId, setText } from './dom.js';

export class OwnSentence {
  /** @param {(text: string) => unknown} draw may return a promise; what it rejects with is shown */
  constructor(draw) {
    const id = freshId('hm-own');
    this.input = el('input', { id, type: 'text', class: 'hm-own-input', maxlength: 400, autocomplete: 'off', spellcheck: 'false' });
    this.button = el('button', { type: 'submit', class: 'hm-button' }, 'Dibujar');
    this.note = el('p', { class: 'hm-note', role: 'status' });
    this.element = el('form', { class: 'hm-own' }, el('label', { for: id }, 'Tu frase'), this.input, this.button, this.note);
    this.drawn = '';
    this.element.addEventListener('submit', async (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) {
        setText(this.note, 'Escribe al menos una palabra.');
        return;
      }
      setText(this.note, 'Dibujando…');
      try {
        await draw(text);
        this.drawn = text;
        setText(this.note, '');
      } catch (error) {
        setText(this.note, error instanceof Error ? error.message : String(error));
      }
    });
  }

  /** A sentence that came with the link: one press from being drawn. @param {string} text */
  offer(text) {
    this.input.value = text;
    setText(this.note, 'Esta frase viene en el enlace: pulsa «Dibujar».');
  }
}
