/**
 * One question: choosing an answer shows what there is to say about it; every answer may be tried.
 */

/** @param {HTMLFormElement} form - the `<form class="quiz">` */
export function mountQuiz(form) {
  const status = /** @type {HTMLElement} */ (form.querySelector('.quiz-feedback'));
  form.classList.add('is-live');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const choice = /** @type {HTMLElement} */ (input.closest('.choice'));
    for (const other of form.querySelectorAll('.choice')) other.classList.remove('is-right', 'is-wrong');
    const right = choice.dataset.correct === 'yes';
    choice.classList.add(right ? 'is-right' : 'is-wrong');
    form.dataset.answer = right ? 'right' : 'wrong';
    const said = choice.querySelector('.choice-feedback p');
    status.replaceChildren(...(said ? said.cloneNode(true).childNodes : []));
  });
}
