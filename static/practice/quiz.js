/**
 * One question: choosing an answer says what there is to say about it; every answer may be tried.
 *
 * A click answers. By keyboard the arrows only move between answers, as radio buttons do, and Enter
 * or the space bar answers: nobody is told off for looking.
 */

import { button } from '../shared/dom.js';

/**
 * @typedef {object} QuizOptions
 * @property {string|undefined} answer - what was answered before, by its text
 * @property {(answer: string|null, right: boolean) => void} onAnswer - null: to be answered again
 */

const WAITING = 'Intro para responder.';

/**
 * @param {HTMLFormElement} form - the `<form class="quiz">`
 * @param {QuizOptions} options
 */
export function mountQuiz(form, { answer, onAnswer }) {
  const status = /** @type {HTMLElement} */ (form.querySelector('.quiz-feedback'));
  const choices = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('.choice')]);
  const again = button('Otra vez', restart, 'button quiet quiz-again');
  again.hidden = true;
  status.after(again);
  form.classList.add('is-live');

  const clear = () => {
    for (const choice of choices) choice.classList.remove('is-right', 'is-wrong');
    delete form.dataset.answer;
    status.replaceChildren();
    again.hidden = true;
  };
  /** @param {HTMLElement} choice */
  const show = (choice) => {
    clear();
    const right = choice.dataset.correct === 'yes';
    choice.classList.add(right ? 'is-right' : 'is-wrong');
    form.dataset.answer = right ? 'right' : 'wrong';
    const said = choice.querySelector('.choice-feedback p');
    status.replaceChildren(...(said ? said.cloneNode(true).childNodes : []));
    again.hidden = false;
    return right;
  };
  const judge = () => {
    const chosen = choices.find((choice) => input(choice).checked);
    if (chosen) onAnswer(text(chosen), show(chosen));
  };

  function restart() {
    const chosen = choices.find((choice) => input(choice).checked) ?? choices[0];
    form.reset();
    clear();
    input(chosen).focus();
    onAnswer(null, false);
  }

  let byArrow = false;
  form.addEventListener('keydown', (event) => {
    byArrow = event.key.startsWith('Arrow');
    if (!(event.target instanceof HTMLInputElement)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.target.checked = true;
      judge();
    }
  });
  form.addEventListener('pointerdown', () => (byArrow = false));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', () => {
    if (!byArrow) {
      judge();
      return;
    }
    clear();
    status.textContent = WAITING;
  });
  const before = choices.find((choice) => text(choice) === answer);
  if (before) {
    input(before).checked = true;
    show(before);
  }
}

/** @param {HTMLElement} choice */
const input = (choice) => /** @type {HTMLInputElement} */ (choice.querySelector('input'));

/** What an answer says, for remembering it: its number changes when the lesson does. */
const text = (/** @type {HTMLElement} */ choice) => choice.querySelector('label')?.textContent ?? '';
