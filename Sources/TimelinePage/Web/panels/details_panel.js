// The details of the selection, and the short form for the tooltip.

import { element, panelTitle, rowsOf } from './page_element.js';

export class DetailsPanel {
  constructor(/** @type {HTMLElement} */ container, /** @type {ItemStory} */ story,
    /** @type {TaskStory} */ tasks, /** @type {Page} */ page) {
    this.container = container;
    this.story = story;
    this.tasks = tasks;
    this.page = page;
  }

  hide() { this.container.hidden = true; }

  /** @returns a sentence that names the selection */
  show(/** @type {Hit} */ hit) {
    const { title, facts } = hit.describe(), { page } = this, { row } = hit, isItem = row >= 0;
    const task = page.tasks.of(hit);
    /** @type {(text: string, id: string, action: () => void) => HTMLElement} */
    const button = (text, id, action) => element('button', { type: 'button', id, onclick: action }, text);
    this.container.replaceChildren(panelTitle(title, 'Close the details', () => page.clear()),
      isItem && task >= 0 ? this.tasks.ofItem(task) : '',
      ...isItem ? this.story.parts(row).filter((part) => part) : [],
      ...!isItem && task >= 0 && !hit.piece ? this.tasks.parts(task).filter((part) => part) : [],
      element('div', { className: 'buttons' },
        button('Frame', 'frame-item', () => page.frameHit(hit)),
        button('Mark its time', 'mark-item', () => page.markRange(hit)),
        isItem ? button('Only this queue', 'only-queue', () => page.filterBy('queue')) : '',
        isItem ? button('Only this thread', 'only-thread', () => page.filterBy('thread')) : ''),
      rowsOf(facts, page.links),
      ...hit.piece ? [this.tasks.ofItem(task), ...this.tasks.parts(task).filter((part) => part)] : []);
    this.container.hidden = false;
    this.container.scrollTop = 0;
    return isItem ? this.story.sentence(row)
      : task >= 0 && !hit.piece ? this.tasks.sentence(task)
      : [title, ...facts.flatMap((fact) => fact ? fact.join(' ') : [])].join(', ');
  }
}

export class Tooltip {
  constructor(/** @type {HTMLElement} */ container) { this.container = container; }

  /** @type {(hit: Pick<Hit, 'describe'>, x: number, y: number, bounds: DOMRect) => void} */
  show(hit, x, y, bounds) {
    const { title, facts } = hit.describe();
    this.container.replaceChildren(element('strong', {}, title), rowsOf(facts.filter((fact) => fact).slice(0, 8)));
    this.container.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.container;
    this.container.style.left = Math.max(4, x + 16 + width > bounds.width ? x - width - 12 : x + 16) + 'px';
    this.container.style.top = Math.max(4, Math.min(y + 16, bounds.height - height - 4)) + 'px';
  }

  hide() { this.container.hidden = true; }
}
