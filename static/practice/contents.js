/**
 * The contents list shows how far the reader is: a count below each section that has something to
 * do, a tick when all of it is done, and the exercises one by one.
 */

import { element } from '../shared/dom.js';

/**
 * @typedef {object} Task
 * @property {HTMLElement} node
 * @property {string} one - "ejercicio"
 * @property {string} many - "ejercicios"
 * @property {string} [title] - listed by itself
 * @property {() => boolean} done
 */

/**
 * @param {HTMLElement} contents - the list's `<nav>`
 * @param {Task[]} tasks - in the page's order
 * @returns {{update: () => void}}
 */
export function mountContents(contents, tasks) {
  const sections = [...contents.querySelectorAll('a')].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading, tasks: /** @type {Task[]} */ ([]) }] : [];
  });
  for (const task of tasks) sections.findLast((one) => precedes(one.heading, task.node))?.tasks.push(task);
  const updates = sections.filter((one) => one.tasks.length).map(mountSection);
  const update = () => updates.forEach((tell) => tell());
  update();
  return { update };
}

/** @param {{link: HTMLAnchorElement, tasks: Task[]}} section */
function mountSection({ link, tasks }) {
  const count = element('span', 'contents-count');
  link.append(' ', count);
  const list = element('ol');
  const marks = tasks.filter((task) => task.title).map((task) => {
    const entry = element('a');
    entry.href = `#${task.node.id}`;
    const mark = tick('resuelto');
    entry.append(mark, task.title ?? '');
    const item = element('li');
    item.append(entry);
    list.append(item);
    return () => mark.toggleAttribute('hidden', !task.done());
  });
  if (list.childElementCount) link.after(list);
  return () => {
    const done = tasks.filter((task) => task.done()).length;
    const { one, many } = tasks[0];
    count.replaceChildren(`${done} de ${tasks.length} ${tasks.length === 1 ? one : many}`);
    if (done === tasks.length) count.prepend(tick('completado'));
    for (const mark of marks) mark();
  };
}

/** @param {string} words - for those who don't see the tick */
function tick(words) {
  const made = element('span', 'contents-tick', '✓');
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', words);
  return made;
}

/** @param {Node} one @param {Node} other */
const precedes = (one, other) =>
  Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
