// Totals of a time range by queue, code, cause of waiting and thread. Times are clipped to the range. The causes of a
// wait that the range cuts are scaled in proportion, because their order is not recorded.

import { pathKinds } from './causal_path.js';
import { waitParts } from './decoder.js';
import { WAIT_PARTS } from './vocabulary.js';

/**
 * @typedef {object} RangeTotals
 * @property {number} key the queue or code
 * @property {number} items
 * @property {number} busy
 * @property {number} waited
 */

export class RangeTables {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ from, /** @type {number} */ to) {
    this.trace = trace;
    this.from = from;
    this.to = to;
    this.items = this.waits = 0;
    this.causes = WAIT_PARTS.map(({ title: name, meaning }, part) => ({ part, name, meaning, time: 0, items: 0 }));
    /** @type {Map<number, RangeTotals>} */
    const queues = new Map();
    /** @type {Map<number, RangeTotals>} */
    const codes = new Map();
    this.scan(queues, codes);
    this.threads = this.scanThreads();
    this.queues = RangeTables.ranked(queues);
    this.codes = RangeTables.ranked(codes);
    /** The time of the range by step of the run's critical path: { kind, time, side } */
    this.path = trace.sides.flatMap((side) => pathKinds(side.criticalPath ? side.criticalPath.segments : [], from, to)
      .map(([kind, time]) => ({ kind, time, side: side.name })));
    /** The page has only the last steps of a long path. */
    this.isPathCut = trace.sides.some(({ criticalPath: path }) =>
      path && path.omitted > 0 && from < (path.segments.length ? path.segments[0].from : path.end));
    /** The number of items that began in the range and have no detail in the page. */
    this.leftOut = trace.leftOut.isEmpty ? 0 : trace.leftOut.items(from, to);
    this.causes = this.causes.filter((entry) => entry.time > 0).sort((a, b) => b.time - a.time);
  }

  static ranked(/** @type {Map<number, RangeTotals>} */ entries) {
    return [...entries.values()].sort((a, b) => b.waited + b.busy - a.waited - a.busy);
  }

  clipped(/** @type {number} */ begin, /** @type {number} */ end) {
    return Math.max(0, Math.min(end, this.to) - Math.max(begin, this.from));
  }

  scan(/** @type {Map<number, RangeTotals>} */ queues, /** @type {Map<number, RangeTotals>} */ codes) {
    const { trace } = this, { begin, end, enqueued, queue, shape, count } = trace.items;
    const entry = (/** @type {Map<number, RangeTotals>} */ map, /** @type {number} */ key) => {
      const found = map.get(key) || { key, items: 0, busy: 0, waited: 0 };
      map.set(key, found);
      return found;
    };
    for (let row = 0; row < count; row++) {
      if (enqueued[row] >= this.to || end[row] < this.from || (begin[row] < this.from && end[row] === this.from)) {
        continue;
      }
      const waited = this.clipped(enqueued[row], begin[row]);
      const hasRun = begin[row] < this.to && end[row] >= this.from, busy = this.clipped(begin[row], end[row]);
      if (!hasRun && waited === 0) continue;
      for (const target of [entry(queues, queue[row]), entry(codes, trace.shapes[shape[row]].code)]) {
        if (hasRun) target.items++;
        target.busy += busy;
        target.waited += waited;
      }
      if (hasRun) this.items++;
      if (waited === 0) continue;
      this.waits++;
      const share = waited / (begin[row] - enqueued[row]);
      waitParts(trace.items, row).forEach((part, number) => {
        if (part <= 0) return;
        this.causes[number].time += part * share;
        this.causes[number].items++;
      });
    }
  }

  scanThreads() {
    const { trace } = this;
    /** @type {{ key: number, items: number, busy: number, blocked: number }[]} */
    const threads = [];
    trace.threads.forEach((_, thread) => {
      const work = trace.work(thread), blocked = trace.blocked(thread);
      const entry = { key: thread, items: 0, busy: 0, blocked: 0 };
      const [first, last] = work.range(this.from, this.to);
      for (let i = first; i < last; i++) {
        if (work.ends[i] < this.from) continue;
        entry.items++;
        // A nested item runs within an item that is already counted.
        if (work.lanes.lane[i] === 0) entry.busy += this.clipped(work.begins[i], work.ends[i]);
      }
      const [from, to] = blocked.range(this.from, this.to);
      for (let i = from; i < to; i++) entry.blocked += this.clipped(blocked.begins[i], blocked.ends[i]);
      if (entry.items || entry.blocked) threads.push(entry);
    });
    return threads.sort((a, b) => b.busy - a.busy || a.key - b.key);
  }
}
