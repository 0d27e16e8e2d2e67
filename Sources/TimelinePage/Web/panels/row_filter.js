// Shows only the rows of some queues or threads, selected by a text in the label or by an item. A selected queue
// includes the threads that ran its items. A selected thread includes the queues of the items that it ran. Other items
// are drawn pale.

import { element } from './page_element.js';

const MOST_SUGGESTIONS = 300;

export class RowFilter {
  constructor(/** @type {HTMLInputElement} */ input, /** @type {HTMLElement} */ suggestions, /** @type {Trace} */ trace,
    /** @type {() => void} */ changed) {
    this.input = input;
    this.trace = trace;
    this.changed = changed;
    this.isOn = false;
    // `queue 3`, `thread 2`, or a text that labels must contain.
    this.token = '';
    /** @type {Set<number>} */
    this.queues = new Set();
    this.threads = this.shownQueues = this.shownThreads = this.queues;
    input.addEventListener('input', () => this.setText(input.value));
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') { this.clear(); input.blur(); }
      event.stopPropagation();
    });
    const labels = new Set([...trace.groupOf.keys()].map((queue) => trace.labels.queue(queue))
      .concat(trace.threads.map((_, thread) => trace.labels.thread(thread))));
    suggestions.append(...[...labels].slice(0, MOST_SUGGESTIONS).map((value) => element('option', { value })));
  }

  clear() { this.setText(''); }

  setText(/** @type {string} */ text) {
    const { trace } = this, wanted = text.trim().toLowerCase();
    this.input.value = text;
    if (!wanted) { this.apply('', null, null); return; }
    /** @type {(list: unknown[], label: (index: number) => string) => Set<number>} */
    const found = (list, label) => new Set(list.map((_, index) => index)
      .filter((index) => label(index).toLowerCase().includes(wanted)));
    this.apply(text.trim(), found(trace.queues, (queue) => trace.labels.queue(queue)),
      found(trace.threads, (thread) => trace.labels.thread(thread)));
  }

  only(/** @type {'queue' | 'thread'} */ kind, /** @type {number} */ index) {
    const { trace } = this, isQueue = kind === 'queue';
    if (!(isQueue ? trace.queues : trace.threads)[index]) return;
    this.input.value = isQueue ? trace.labels.queue(index) : trace.labels.thread(index);
    this.apply(`${kind} ${index}`, new Set(isQueue ? [index] : []), new Set(isQueue ? [] : [index]));
  }

  /** Restores the filter of a link. */
  restore(/** @type {string} */ token) {
    const match = /^(queue|thread) (\d+)$/.exec(token);
    if (match) this.only(match[1] === 'queue' ? 'queue' : 'thread', Number(match[2])); else this.setText(token);
  }

  /** @type {(token: string, queues: Set<number> | null, threads: Set<number> | null) => void} */
  apply(token, queues, threads) {
    this.isOn = queues !== null;
    this.token = token;
    this.input.classList.toggle('on', this.isOn);
    if (queues && threads) {
      const { queue, thread, enqueuer, count } = this.trace.items;
      this.queues = queues;
      this.threads = threads;
      this.shownQueues = new Set(queues);
      this.shownThreads = new Set(threads);
      for (let row = 0; row < count; row++) {
        if (queues.has(queue[row])) {
          this.shownThreads.add(thread[row]);
          if (this.trace.isSync(row)) this.shownThreads.add(enqueuer[row]);
        }
        if (threads.has(thread[row])) this.shownQueues.add(queue[row]);
      }
    }
    this.changed();
  }

  /** Does an item belong to a selected queue or thread? */
  isMatch(/** @type {number} */ row) {
    const { queue, thread } = this.trace.items;
    return this.queues.has(queue[row]) || this.threads.has(thread[row]);
  }

  /** Does the filter keep a row? */
  passes(/** @type {Track} */ { thread, queues }) {
    return thread >= 0 ? this.shownThreads.has(thread) : queues.some((queue) => this.shownQueues.has(queue));
  }

  get count() { return this.queues.size + this.threads.size; }
}
