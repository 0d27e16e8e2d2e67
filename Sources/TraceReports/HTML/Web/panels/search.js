// Search by queue label, code, thread or task. What does not match turns pale; next and previous walk the items in
// order of time.

import { formatCount, plural } from '../units.js';

export class Search {
  constructor(input, status, /** @type {Trace} */ trace, /** @type {Page} */ page) {
    this.input = input;
    this.status = status;
    this.trace = trace;
    this.page = page;
    this.rows = this.isMatch = null;
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

  start(text) {
    this.input.value = text;
    this.run(text);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  run(text) {
    const { trace } = this, wanted = text.trim().toLowerCase();
    this.at = -1;
    if (!wanted) {
      this.rows = this.isMatch = null;
      this.status.textContent = '';
      this.page.matched();
      return;
    }
    const includes = (value) => String(value).toLowerCase().includes(wanted);
    const queues = trace.queues.map((queue) => includes(queue.label));
    const codes = trace.meta.codes.map(includes), shapes = trace.shapes.map((shape) => codes[shape.code]);
    const threads = trace.threads.map((_, index) => includes(trace.threadLabel(index)));
    const { queue, shape, thread } = trace.items;
    const tasks = trace.tasks.matching(wanted);
    this.isMatch = (row) => queues[queue[row]] || shapes[shape[row]] || threads[thread[row]]
      || (tasks.size > 0 && tasks.has(trace.tasks.ofRow(row)));
    this.rows = trace.orderByBegin.filter(this.isMatch);
    this.status.textContent = this.rows.length ? plural(this.rows.length, 'item') : 'nothing found';
    this.page.matched();
  }

  step(direction) {
    if (!this.rows || !this.rows.length) return;
    if (this.at < 0) {
      // Start from what is in view, not from the beginning of the trace.
      const { begin } = this.trace.items, middle = (this.page.view.from + this.page.view.to) / 2;
      let low = 0, high = this.rows.length;
      while (low < high) { const m = low + high >>> 1; if (begin[this.rows[m]] < middle) low = m + 1; else high = m; }
      this.at = direction > 0 ? low - 1 : low;
    }
    this.at = (this.at + direction + this.rows.length) % this.rows.length;
    this.status.textContent = `${formatCount(this.at + 1)} of ${formatCount(this.rows.length)}`;
    this.page.selectRow(this.rows[this.at]);
  }
}
