// The story of an item: the item that enqueued it, its wait, the thread that ran it, the items that it enqueued, and
// other runs of the same code.

import { element, linkTo, partsBar, rowsOf } from './page_element.js';
import { SEGMENT_TITLES } from '../trace/causal_path.js';
import { LEFT_OUT, waitParts } from '../trace/decoder.js';
import { WAIT_PARTS } from '../trace/vocabulary.js';
import { formatCount, formatDuration, formatPercent, formatPoint, plural, printable } from '../units.js';

const CHILDREN_LISTED = 5;

export class ItemStory {
  constructor(/** @type {Trace} */ trace, /** @type {Page} */ page) {
    this.trace = trace;
    this.page = page;
  }

  /** One sentence for the live region. */
  sentence(/** @type {number} */ row) {
    const { trace } = this, { items } = trace, wait = items.begin[row] - items.enqueued[row];
    return `${trace.labels.item(row)}, ${printable(trace.codeOf(row))}, `
      + (wait > 0 ? `waited ${formatDuration(wait)}, ` : '')
      + `ran ${formatDuration(items.end[row] - items.begin[row])} on ${trace.labels.thread(items.thread[row])}`;
  }

  parts(/** @type {number} */ row) {
    return [this.origin(row), this.wait(row), this.run(row), this.path(row), this.offspring(row), this.elsewhere(row)];
  }

  link(/** @type {number} */ row) {
    const { trace } = this;
    return linkTo(`${trace.labels.bar(row)} on ${trace.labels.queue(trace.items.queue[row])}`, () =>
      this.page.items.select(row));
  }

  origin(/** @type {number} */ row) {
    const { trace } = this, { items } = trace, thread = items.enqueuer[row], chain = trace.relations.ancestry(row);
    if (thread < 0) return '';
    const parent = chain.length > 1 ? chain[chain.length - 2] : -1;
    return element('p', { className: 'origin' }, element('strong', {}, 'Enqueued by '),
      parent >= 0 ? [this.link(parent), ', on '] : items.parent[row] === LEFT_OUT ? 'a left-out item, on ' : '',
      linkTo(trace.labels.thread(thread), () => this.page.revealThread(thread)),
      items.begin[row] > items.enqueued[row] ? ` at ${formatPoint(items.enqueued[row])}` : '',
      chain.length > 2 ? element('span', { className: 'calm' }, ` · ${plural(chain.length - 1, 'ancestor')}`) : '');
  }

  wait(/** @type {number} */ row) {
    const parts = waitParts(this.trace.items, row), wait = parts.reduce((sum, part) => sum + part, 0);
    if (wait <= 0) return '';
    return element('div', {}, element('h3', {}, `Waited ${formatDuration(wait)}`),
      partsBar('Parts of the wait', parts, WAIT_PARTS, 'part'), this.cause(row));
  }

  /** The items that occupied the queue while this item waited. */
  cause(/** @type {number} */ row) {
    const { rows, last } = this.trace.relations.waitedFor(row);
    if (last < 0) return '';
    return element('p', { className: 'cause' }, 'for ', rows.length > 1 ? `${plural(rows.length, 'item')}, last ` : '',
      this.link(last));
  }

  run(/** @type {number} */ row) {
    const { trace } = this, { items } = trace, thread = items.thread[row], blocked = trace.blocked(thread);
    let time = 0, count = 0;
    const [first, last] = blocked.range(items.begin[row], items.end[row]);
    for (let i = first; i < last; i++) {
      const clipped = Math.min(blocked.ends[i], items.end[row]) - Math.max(blocked.begins[i], items.begin[row]);
      if (clipped > 0) { time += clipped; count++; }
    }
    return element('p', { className: 'run' }, element('strong', {},
      `Ran ${formatDuration(items.end[row] - items.begin[row])} `), 'on ',
    linkTo(trace.labels.thread(thread), () => this.page.revealThread(thread)),
    count ? `, blocked ${formatDuration(time)} of it in ${plural(count, 'wait')}` : '', this.processor(row));
  }

  /** The share of the run on a processor, where context switches were recorded. */
  processor(/** @type {number} */ row) {
    const { trace } = this, { begin, end, thread } = trace.items, length = end[row] - begin[row];
    if (!trace.processors.isRecorded || length <= 0) return '';
    const { on, preempted, blocked } = trace.processors.share(thread[row], begin[row], end[row]);
    const known = on + preempted + blocked;
    if (known <= 0) return '';
    const part = known < 0.99 * length ? `; of the ${formatPercent(known / length)} with recorded switches,` : ';';
    return `${part} on a processor for ${formatPercent(Math.min(1, on / known))}${part === ';' ? ' of it' : ''}`
      + (preempted > 0 ? `, pre-empted for ${formatDuration(preempted)}` : '');
  }

  path(/** @type {number} */ row) {
    const { path } = this.page.state, isShown = path !== null && path.row === row;
    const button = element('button', { type: 'button', id: 'path', 'aria-pressed': String(isShown),
      onclick: () => this.page.togglePath() }, isShown ? 'Hide its causal path' : 'Show its causal path');
    if (!isShown) return element('div', { className: 'buttons' }, button);
    const share = (/** @type {number} */ time) =>
      `${formatDuration(time)}, ${formatPercent(time / (path.to - path.from))}`;
    return element('div', { className: 'path' }, element('div', { className: 'buttons' }, button),
      element('h3', {}, `From submission to end ${formatDuration(path.to - path.from)}`),
      rowsOf(path.kinds.map(([kind, time]) => [SEGMENT_TITLES[kind], share(time)])),
      element('ul', { className: 'children' }, path.codes.slice(0, CHILDREN_LISTED).map((entry) =>
        element('li', {}, this.link(entry.row), ` ran for ${formatDuration(entry.time)} of it`))),
      path.isComplete ? '' : element('p', { className: 'caveat' }, 'The path is longer than the limit of this page.'));
  }

  /** One sentence for the live region. */
  pathSentence(/** @type {CausalPath} */ path) {
    return `From submission to end ${formatDuration(path.to - path.from)}: `
      + path.kinds.map(([kind, time]) => `${SEGMENT_TITLES[kind]} ${formatDuration(time)}`).join(', ');
  }

  offspring(/** @type {number} */ row) {
    const children = this.trace.relations.offspring(row);
    if (!children.length) return '';
    const list = element('ul', { className: 'children' },
      [...children.slice(0, CHILDREN_LISTED)].map((child) => element('li', {}, this.link(child))));
    const rest = children.length - CHILDREN_LISTED;
    return element('div', { className: 'offspring' },
      element('h3', {}, `Enqueued ${plural(children.length, 'item')}`), list,
      rest > 0 ? element('p', { className: 'calm' }, `and ${formatCount(rest)} more`) : '');
  }

  elsewhere(/** @type {number} */ row) {
    const { trace, page } = this, { relations } = trace, same = relations.itemsOfCode(trace.shapeOf(row).code);
    const at = relations.position(same, row);
    /** @type {(text: string, name: string, action: () => void, isPossible: boolean) => HTMLElement} */
    const step = (text, name, action, isPossible) => element('button', {
      type: 'button', disabled: !isPossible, 'aria-label': name, onclick: action }, text);
    return element('div', { className: 'steps' },
      element('span', {}, 'In this queue', step('‹', 'Previous item of the queue', () => page.step(-1), true),
        step('›', 'Next item of the queue', () => page.step(1), true)),
      element('span', {}, `Same code, ${formatCount(at + 1)} of ${formatCount(same.length)}`,
        step('‹', 'Previous occurrence of this code', () => page.items.stepInCode(-1), at > 0),
        step('›', 'Next occurrence of this code', () => page.items.stepInCode(1), at < same.length - 1)));
  }
}
