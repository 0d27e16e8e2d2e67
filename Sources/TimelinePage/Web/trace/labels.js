// The names of the trace's items, queues, threads, locks and code, as the page shows them.

import { BARRIER, LOCK } from './decoder.js';
import { ITEM_KINDS, WAIT_OBJECTS } from './vocabulary.js';
import { briefCode, printable } from '../units.js';

/** The words for the kinds of items, by name. */
export const KIND_TITLES = Object.fromEntries(ITEM_KINDS.map(({ name, title }) => [name, title]));

export class Labels {
  constructor(/** @type {Trace} */ trace) { this.trace = trace; }

  /** The label of a bar: file and line without the module, and the kind when it is not a usual kind. */
  bar(/** @type {number} */ row) {
    const name = briefCode(this.trace.codeOf(row)), kind = this.trace.kindOf(row);
    if (kind === 'loop_iteration') return KIND_TITLES.loop_iteration;
    const isUsual = kind === 'async' || kind === 'sync' || kind === 'actor_job';
    return isUsual ? name : `${name} · ${KIND_TITLES[kind] || kind}`;
  }

  /** The label of a thread's bar: the queue, or the code when the queue has no name of its own. */
  threadBar(/** @type {number} */ row) {
    const { queues, items } = this.trace, queue = queues[items.queue[row]];
    return !queue || queue.serial === 0 || queue.kind === 'global' ? this.bar(row) : this.queue(items.queue[row]);
  }

  code(/** @type {number} */ code) { return printable(this.trace.meta.codes[code] || 'unknown code'); }
  item(/** @type {number} */ row) {
    const { trace } = this;
    return `${this.kind(trace.kindOf(row), trace.shapeOf(row).flags)} on ${this.queue(trace.items.queue[row])}`;
  }
  /** The kind of an item: `async`, `sync barrier`. */
  kind(/** @type {string} */ kind, /** @type {number} */ flags) {
    return (KIND_TITLES[kind] || kind) + (flags & BARRIER ? ' barrier' : '');
  }
  queue(/** @type {number} */ queue) {
    const entry = this.trace.queues[queue];
    if (entry && entry.serial === 0) return '(no own queue)';
    return entry ? printable(entry.label) || `(unlabelled queue ${entry.serial})` : '(no queue)';
  }
  thread(/** @type {number} */ thread) {
    const entry = this.trace.threads[thread], { program } = this.trace.meta.trace;
    if (!entry) return '(unknown thread)';
    // libdispatch names its workers after their root queue. Linux keeps 15 characters.
    if (/-qos(\.overcommit)?$/.test(entry.name)) return `worker ${entry.tid}`;
    // A thread without a name has the name of the program.
    if (entry.name === program.slice(0, 15) || entry.name === program) {
      return `${entry.tid === this.trace.sideOfThread(thread).facts.pid ? 'main thread' : 'thread'} ${entry.tid}`;
    }
    return entry.name ? `${printable(entry.name)} ${entry.tid}` : `thread ${entry.tid}`;
  }
  lock(/** @type {number} */ lock) { return printable(this.trace.meta.locks[lock].label) || '(unlabelled lock)'; }

  /** The object of a blocked wait, in words. */
  waitObject(/** @type {Wait} */ wait) {
    const { waitObjects } = this.trace.meta, object = waitObjects[wait.object];
    if (!object) return WAIT_OBJECTS[wait.kind].title;
    if (object.entity >= 0) return object.kind === LOCK ? this.lock(object.entity) : this.queue(object.entity);
    const code = object.code > 0 ? ' created at ' + this.code(object.code) : ' ' + object.id;
    return WAIT_OBJECTS[object.kind].title + code;
  }
}
