// The decoded trace with the tables that tracks draw. Each table is built at its first use.

import { gatherRows, gatherTimes, groupBy, lowerBound, ordered, timeOrder } from './columns.js';
import { sampleIntervals } from './depth.js';
import { Intervals } from './intervals.js';
import { Side } from './joined_traces.js';
import { Labels } from './labels.js';
import { Processors } from './processors.js';
import { Relations } from './relations.js';
import { Tasks } from './tasks.js';
import { Union } from './union.js';

/**
 * `leftOut` (LeftOut) has the items without detail: `leftOut.ranges()`, `leftOut.items(from, to, queue)`. The depth of
 * `running`, `waiting`, `work` and `blocked` includes them; rows, bars and tables do not.
 * `meta.trace.windows` are the intervals around findings. The windows of the first `meta.trace.findingsInFull` findings
 * have every item.
 * `sides` are the traces (see joined_traces.js): one, or the traces before and after a change. Each has its
 * `criticalPath` (see decodePath). All tables have first the entries of the first trace, then the second's.
 */
export class Trace {
  constructor(/** @type {TraceData} */ data) {
    const { meta, items } = data;
    this.meta = meta;
    this.items = items;
    this.shapes = data.shapes;
    this.holdings = data.holdings;
    this.waits = data.waits;
    this.pending = data.pending;
    this.slices = data.slices;
    this.leftOut = data.leftOut;
    this.signposts = data.signposts;
    this.marks = data.marks;
    this.taskList = data.tasks;
    /** One trace, or the traces before and after a change. */
    this.sides = 'sides' in data ? data.sides : [new Side('', data)];
    this.queues = meta.queues;
    this.threads = meta.threads;
    this.findings = meta.findings;
    let { begin, end } = meta.trace;
    for (let row = 0; row < items.count; row++) if (items.end[row] > end) end = items.end[row];
    for (const holding of this.holdings) end = Math.max(end, holding.end);
    for (const mark of this.marks) end = Math.max(end, mark.time);
    /** The shown part of the trace: all of it, or the part that was requested. */
    this.begin = begin;
    this.end = Math.max(end, begin + 1000);
    this.groupOf = new Map(items.groups.map((group) => [group.queue, group]));
    for (const queue of this.leftOut.queuePositions) {
      if (!this.groupOf.has(queue)) this.groupOf.set(queue, { queue, start: 0, end: 0 });
    }
    /** @type {Map<string, unknown>} */
    this.cache = new Map();
    const sync = ['sync', 'async_and_wait'].map((name) => meta.kinds.indexOf(name));
    this.isSyncShape = Uint8Array.from(this.shapes, ({ kind }) => Number(sync.includes(kind)));
    this.labels = new Labels(this);
  }

  /**
   * The value that `build` returned at the first call with this key.
   *
   * @template Value
   * @param {string} key
   * @param {() => Value} build
   */
  once(key, build) {
    if (!this.cache.has(key)) this.cache.set(key, build());
    return /** @type {Value} */ (this.cache.get(key));
  }

  shapeOf(/** @type {number} */ row) { return this.shapes[this.items.shape[row]]; }
  kindOf(/** @type {number} */ row) { return this.meta.kinds[this.shapeOf(row).kind] || 'item'; }
  isSync(/** @type {number} */ row) { return this.isSyncShape[this.items.shape[row]] === 1; }
  codeOf(/** @type {number} */ row) { return this.meta.codes[this.shapeOf(row).code] || 'unknown code'; }
  /** Did a thread run or wait, including in left-out items? */
  isUsedThread(/** @type {number} */ thread) {
    return this.work(thread).length > 0 || this.blocked(thread).length > 0 || this.marksOfThread(thread).length > 0
      || this.leftOut.hasThread(thread);
  }

  /** The trace that a finding belongs to. */
  sideOfFinding(/** @type {Finding} */ finding) {
    return this.sides.find((side) => side.name.toLowerCase() === finding.side) || this.sides[0];
  }

  sideOfThread(/** @type {number} */ thread) {
    return this.sides.find((side) => side.hasThread(thread)) || this.sides[0];
  }

  /** The number of items of a trace that ran and waited, with left-out items: averages of parts of [from, to). */
  sampleDepth(/** @type {Side} */ side, /** @type {number} */ from, /** @type {number} */ to,
    /** @type {number} */ count) {
    const { enqueued, begin, end } = this.items, { from: first, to: last } = side.rows;
    const queues = this.leftOut.queuePositions.filter((queue) => side.hasQueue(queue));
    /** @type {(begins: Float64Array, ends: Float64Array, what: 'busy' | 'waiting') => Float64Array} */
    const sample = (begins, ends, what) => {
      const kept = sampleIntervals(begins.subarray(first, last), ends.subarray(first, last), from, to, count);
      return this.leftOut.addTo(kept, queues, what, from, to);
    };
    return { running: sample(begin, end, 'busy'), waiting: sample(enqueued, begin, 'waiting') };
  }

  get orderByBegin() { return this.once('order', () => timeOrder(this.items.begin)); }

  /** The rows of each thread, in the order of the table. */
  get rowsByThread() {
    return this.once('threads', () => {
      const { thread, count } = this.items, size = this.threads.length, ends = new Uint32Array(size + 1);
      for (let row = 0; row < count; row++) if (thread[row] < size) ends[thread[row]]++;
      for (let each = 0, sum = 0; each <= size; each++) [ends[each], sum] = [sum, sum + ends[each]];
      const starts = ends.slice(), rows = new Uint32Array(ends[size]);
      for (let row = 0; row < count; row++) if (thread[row] < size) rows[ends[thread[row]]++] = row;
      return this.threads.map((_, each) => rows.subarray(starts[each], starts[each + 1]));
    });
  }

  /** Sorts rows by begin. */
  inOrder(/** @type {Uint32Array} */ rows) { return gatherRows(rows, timeOrder(gatherTimes(this.items.begin, rows))); }

  /** The intervals in which unsorted rows ran. */
  ran(/** @type {Uint32Array} */ rows) {
    const { order, times } = ordered(gatherTimes(this.items.begin, rows)), sorted = gatherRows(rows, order);
    return new Intervals(times, gatherTimes(this.items.end, sorted), sorted);
  }

  /** The intervals in which rows ran. The rows must be in the order of begin. */
  intervals(/** @type {Uint32Array} */ rows) {
    return new Intervals(gatherTimes(this.items.begin, rows), gatherTimes(this.items.end, rows), rows);
  }

  rowsOfQueue(/** @type {number} */ queue) {
    const { start, end } = this.groupOf.get(queue) || { start: 0, end: 0 }, rows = new Uint32Array(end - start);
    for (let i = 0; i < rows.length; i++) rows[i] = start + i;
    return rows;
  }

  /** The rows of several queues, in the order of the table. */
  rowsOfQueues(/** @type {number[]} */ queues) {
    const parts = [...new Set(queues)].sort((a, b) => a - b).map((queue) => this.rowsOfQueue(queue));
    const rows = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => { rows.set(part, at); return at + part.length; }, 0);
    return rows;
  }

  /** The intervals in which a queue's items ran, with sub-lanes where they overlap. */
  running(/** @type {number} */ queue) {
    return this.once('run' + queue, () => {
      const { begin, end } = this.items, { start, end: last } = this.groupOf.get(queue) || { start: 0, end: 0 };
      const running = new Intervals(begin.subarray(start, last), end.subarray(start, last), null, start);
      return this.leftOut.complete(running.packed(8), this.leftOut.queues, [queue], 'busy');
    });
  }

  /** The intervals in which a queue's items waited, in the order of their enqueue. */
  waiting(/** @type {number} */ queue) {
    return this.once('wait' + queue, () => {
      const { enqueued, begin } = this.items;
      const rows = this.rowsOfQueue(queue).filter((row) => begin[row] > enqueued[row]);
      const { order, times } = ordered(gatherTimes(enqueued, rows)), sorted = gatherRows(rows, order);
      const waiting = new Intervals(times, gatherTimes(begin, sorted), sorted).packed(3);
      return this.leftOut.complete(waiting, this.leftOut.queues, [queue], 'waiting');
    });
  }

  /** The intervals in which items of any of the queues ran. Their depth is the overlap. */
  runningTogether(/** @type {number[]} */ queues) {
    return this.once('together' + queues.slice().sort((a, b) => a - b).join(), () => {
      const parts = queues.filter((queue) => this.groupOf.has(queue)).map((queue) => this.running(queue));
      const together = new Union(parts, () => this.ran(this.rowsOfQueues(queues)));
      return this.leftOut.complete(together, this.leftOut.queues, queues, 'busy');
    });
  }

  /** The rows of all queues that an exclusion queue serialises, in the order of begin. */
  rowsOfDomain(/** @type {number} */ exclusion) {
    return this.once('rows of domain' + exclusion, () => {
      const members = [...this.groupOf.keys()].filter((queue) => this.queues[queue]
        && this.queues[queue].exclusion === exclusion), rows = this.rowsOfQueues(members);
      return members.length < 2 ? rows : this.inOrder(rows);
    });
  }

  /** The items that a thread ran, with the level of nesting: a sync runs inside the item that called it. */
  work(/** @type {number} */ thread) {
    return this.once('work' + thread, () => {
      const work = this.ran(this.rowsByThread[thread]).packed(3);
      return this.leftOut.complete(work, this.leftOut.threads, [thread], 'busy');
    });
  }

  /** The rows that blocked a thread until they ran, in the order of begin. */
  blocking(/** @type {number} */ thread) {
    return this.once('blocking', () => {
      const { enqueuer, count } = this.items, lists = this.threads.map(() => /** @type {number[]} */ ([]));
      for (let row = 0; row < count; row++) {
        if (this.isSync(row) && enqueuer[row] >= 0 && enqueuer[row] < lists.length) lists[enqueuer[row]].push(row);
      }
      return lists.map((rows) => this.inOrder(Uint32Array.from(rows)));
    })[thread];
  }

  /** The intervals in which a thread was blocked: in sync, or for a lock, group or semaphore. See `blockedBy`. */
  blocked(/** @type {number} */ thread) {
    return this.once('blocked' + thread, () => {
      const { begin, end, enqueued, thread: runner } = this.items, begins = [], ends = [], causes = [];
      for (const row of this.blocking(thread)) {
        // A sync that another thread runs blocks its caller until the sync ends.
        const until = runner[row] === thread ? begin[row] : end[row];
        if (until > enqueued[row]) { begins.push(enqueued[row]); ends.push(until); causes.push(row); }
      }
      /** @type {(waiter: number, from: number, to: number, cause: number) => void} */
      const add = (waiter, from, to, cause) => {
        if (waiter !== thread || from >= to) return;
        begins.push(from);
        ends.push(to);
        causes.push(cause);
      };
      this.holdings.forEach((hold, number) => add(hold.thread, hold.requested, hold.begin, -1 - number * 2));
      this.waits.forEach((wait, number) => add(wait.thread, wait.begin, wait.end, -2 - number * 2));
      const { order, times } = ordered(Float64Array.from(begins));
      const blocked = Object.assign(new Intervals(times, gatherTimes(Float64Array.from(ends), order)),
        { causes: gatherTimes(Float64Array.from(causes), order) });
      return this.leftOut.complete(blocked, this.leftOut.threads, [thread], 'waiting');
    });
  }

  /** The cause of a blocked interval. Negative causes alternate between holdings and blocked waits. */
  blockedBy(/** @type {number} */ cause) {
    const number = -1 - cause >> 1, isWait = (-1 - cause & 1) === 1;
    return cause >= 0 ? { row: cause, wait: null, holding: null }
      : { row: -1, wait: isWait ? this.waits[number] : null, holding: isWait ? null : this.holdings[number] };
  }

  get relations() { return this.once('relations', () => new Relations(this)); }
  get tasks() { return this.once('tasks', () => new Tasks(this, this.taskList)); }
  get processors() { return this.once('processors', () => new Processors(this)); }

  /** The items of a queue that never began: { code, enqueuer, parent, enqueued, until, flags (BARRIER, CANCELLED) } */
  pendingOfQueue(/** @type {number} */ queue) {
    return this.once('pending', () => groupBy(this.pending, (item) => item.queue)).get(queue) || [];
  }

  /** The intervals in which they waited, in the same order. */
  pendingWaits(/** @type {number} */ queue) {
    return this.once('pending' + queue, () =>
      Intervals.of(this.pendingOfQueue(queue), ({ enqueued }) => enqueued, ({ until }) => until));
  }

  /** The items to which another thread handed the queue, in the order of their begin. */
  get handoffs() {
    return this.once('handoffs', () => this.ran(Uint32Array.from(this.items.handedOverBy.keys())));
  }

  /** The end of the last item of a thread before a time: the start of a hand-off. */
  releaseBefore(/** @type {number} */ thread, /** @type {number} */ time) {
    const work = this.work(thread);
    let release = -Infinity;
    for (let i = lowerBound(work.begins, time) - 1, steps = 0; i >= 0 && steps < 8; i--, steps++) {
      if (work.ends[i] <= time && work.ends[i] > release) release = work.ends[i];
    }
    return release > -Infinity ? release : time;
  }

  queueOfMark(/** @type {Mark} */ { queue, source }) {
    return queue >= 0 ? queue : source >= 0 ? this.meta.sources[source].queue : -1;
  }
  marksBy(/** @type {string} */ name, /** @type {(mark: Mark) => number} */ key) {
    return this.once(name, () => groupBy(this.marks, key));
  }
  marksOfQueue(/** @type {number} */ queue) {
    return this.marksBy('queue marks', (mark) => this.queueOfMark(mark)).get(queue) || [];
  }
  /** Only mistakes. Other changes are on the row of the queue. */
  marksOfThread(/** @type {number} */ thread) {
    return this.once('thread marks' + thread, () =>
      (this.marksBy('thread marks', (mark) => mark.thread).get(thread) || []).filter((mark) => mark.kind < 2));
  }

  /** The innermost item that ran on a thread at a time; -1 without one. */
  runningOn(/** @type {number} */ thread, /** @type {number} */ time) {
    if (!this.threads[thread]) return -1;
    const work = this.work(thread);
    for (let i = lowerBound(work.begins, time + 0.5) - 1, steps = 0; i >= 0 && steps < 64; i--, steps++) {
      if (work.ends[i] >= time) return work.row(i);
      if (work.reach[i] < time) break;
    }
    return -1;
  }
}
