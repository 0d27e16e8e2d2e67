// Searches queue labels, code, threads, tasks, and the names and messages of signposts. Items that do not match are
// drawn pale. Next and previous visit the items and signposts in order of time.

import { partition } from '../trace/columns.js';
import { signpostHit } from '../tracks/signpost.js';
import { formatCount, plural } from '../units.js';

export class Search {
  constructor(/** @type {HTMLInputElement} */ input, /** @type {HTMLElement} */ status, /** @type {Trace} */ trace,
    /** @type {Page} */ page) {
    this.input = input;
    this.status = status;
    this.trace = trace;
    this.page = page;
    /** @type {Uint32Array | Int32Array | null} the rows of items and, as ~index, signposts */
    this.found = null;
    /** @type {((row: number) => boolean) | null} */
    this.isMatch = null;
    this.at = -1;
    input.addEventListener('input', () => this.run(input.value));
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') { this.step(event.shiftKey ? -1 : 1); event.preventDefault(); }
      if (event.key === 'Escape') { this.clear(); input.blur(); }
      event.stopPropagation();
    });
  }

  get text() { return this.input.value.trim(); }

  clear() { this.start(''); }

  start(/** @type {string} */ text) {
    this.input.value = text;
    this.run(text);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  run(/** @type {string} */ text) {
    const { trace } = this, wanted = text.trim().toLowerCase();
    this.at = -1;
    if (!wanted) {
      this.found = this.isMatch = null;
      this.status.textContent = '';
      this.page.matched();
      return;
    }
    const includes = (/** @type {string} */ value) => String(value).toLowerCase().includes(wanted);
    const queues = trace.queues.map((queue) => includes(queue.label));
    const codes = trace.meta.codes.map(includes), shapes = trace.shapes.map((shape) => codes[shape.code]);
    const threads = trace.threads.map((_, index) => includes(trace.labels.thread(index)));
    const { queue, shape, thread } = trace.items;
    const tasks = trace.tasks.matching(wanted);
    this.isMatch = (row) => queues[queue[row]] || shapes[shape[row]] || threads[thread[row]]
      || (tasks.size > 0 && tasks.has(trace.tasks.ofRow(row)));
    const rows = trace.orderByBegin.filter(this.isMatch);
    const signposts = this.signpostsThat(includes);
    this.found = this.inOrder(rows, signposts);
    this.status.textContent = !this.found.length ? 'nothing found' : !signposts.length ? plural(rows.length, 'item')
      : !rows.length ? plural(signposts.length, 'signpost')
        : `${plural(rows.length, 'item')}, ${plural(signposts.length, 'signpost')}`;
    this.page.matched();
  }

  /** The indices of the signposts whose name or message matches, in order of time. */
  signpostsThat(/** @type {(text: string) => boolean} */ isWanted) {
    const { signposts, meta } = this.trace, strings = meta.strings.map(isWanted);
    return [...signposts.keys()].filter((index) => strings[signposts[index].name] || strings[signposts[index].message])
      .sort((a, b) => signposts[a].begin - signposts[b].begin);
  }

  /** Merges the rows of items and the signposts, as ~index, in order of time. */
  inOrder(/** @type {Uint32Array} */ rows, /** @type {number[]} */ signposts) {
    if (!signposts.length) return rows;
    const found = new Int32Array(rows.length + signposts.length);
    let row = 0, signpost = 0;
    for (let at = 0; at < found.length; at++) {
      const isItem = row < rows.length && (signpost === signposts.length
        || this.beginOf(rows[row]) <= this.beginOf(~signposts[signpost]));
      found[at] = isItem ? rows[row++] : ~signposts[signpost++];
    }
    return found;
  }

  beginOf(/** @type {number} */ found) {
    const { items, signposts } = this.trace;
    return found < 0 ? signposts[~found].begin : items.begin[found];
  }

  step(/** @type {number} */ direction) {
    const { found, page, trace } = this;
    if (!found || !found.length) return;
    if (this.at < 0) {
      // Start at the view rather than at the beginning of the trace.
      const middle = (page.view.from + page.view.to) / 2;
      const next = partition(found.length, (at) => this.beginOf(found[at]) < middle);
      this.at = direction > 0 ? next - 1 : next;
    }
    this.at = (this.at + direction + found.length) % found.length;
    this.status.textContent = `${formatCount(this.at + 1)} of ${formatCount(found.length)}`;
    const entry = found[this.at];
    if (entry < 0) page.visitInterval(signpostHit(trace, trace.signposts[~entry])); else page.items.select(entry);
  }
}
