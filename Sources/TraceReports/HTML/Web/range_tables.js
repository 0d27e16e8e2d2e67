// What happened in a range of time: per queue, per line of code, per cause of waiting and per thread. Times are clipped
// to the range; the causes of a wait that the range cuts are clipped in proportion, since their order is not recorded.

import { pathKinds } from './causal_path.js';
import { WAIT_PARTS, waitParts } from './decoder.js';

export class RangeTables {
  constructor(trace, from, to) {
    this.trace = trace;
    this.from = from;
    this.to = to;
    this.items = this.waits = 0;
    this.causes = WAIT_PARTS.map(([name, meaning], part) => ({ part, name, meaning, time: 0, items: 0 }));
    this.queues = new Map();
    this.codes = new Map();
    this.scan();
    this.threads = this.scanThreads();
    this.queues = RangeTables.ranked(this.queues, (entry) => entry.waited + entry.busy);
    this.codes = RangeTables.ranked(this.codes, (entry) => entry.busy + entry.waited);
    /** What the critical path of the run spends this time with: { kind, time, side } */
    this.path = trace.sides.flatMap((side) => pathKinds(side.criticalPath ? side.criticalPath.segments : [], from, to)
      .map(([kind, time]) => ({ kind, time, side: side.name })));
    /** How many items more began in it, of which the page has no detail. */
    this.leftOut = trace.leftOut.isEmpty ? 0 : trace.leftOut.items(from, to);
    this.causes = this.causes.filter((entry) => entry.time > 0).sort((a, b) => b.time - a.time);
  }

  static ranked(entries, weight) { return [...entries.values()].sort((a, b) => weight(b) - weight(a)); }

  clipped(begin, end) { return Math.max(0, Math.min(end, this.to) - Math.max(begin, this.from)); }

  scan() {
    const { trace } = this, { begin, end, enqueued, queue, shape, count } = trace.items;
    const entry = (map, key) => {
      let found = map.get(key);
      if (!found) map.set(key, found = { key, items: 0, busy: 0, waited: 0, longest: 0 });
      return found;
    };
    for (let row = 0; row < count; row++) {
      if (enqueued[row] >= this.to || end[row] < this.from || (begin[row] < this.from && end[row] === this.from)) {
        continue;
      }
      const waited = this.clipped(enqueued[row], begin[row]);
      const hasRun = begin[row] < this.to && end[row] >= this.from, busy = this.clipped(begin[row], end[row]);
      if (!hasRun && waited === 0) continue;
      for (const target of [entry(this.queues, queue[row]), entry(this.codes, trace.shapes[shape[row]].code)]) {
        if (hasRun) target.items++;
        target.busy += busy;
        target.waited += waited;
        if (waited > target.longest) target.longest = waited;
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
    const { trace } = this, threads = [];
    trace.threads.forEach((_, thread) => {
      const work = trace.work(thread), blocked = trace.blocked(thread);
      const entry = { key: thread, items: 0, busy: 0, blocked: 0 };
      const [first, last] = work.range(this.from, this.to);
      for (let i = first; i < last; i++) {
        if (work.ends[i] < this.from) continue;
        entry.items++;
        // What is nested runs within what is counted already.
        if (work.lanes.lane[i] === 0) entry.busy += this.clipped(work.begins[i], work.ends[i]);
      }
      const [from, to] = blocked.range(this.from, this.to);
      for (let i = from; i < to; i++) entry.blocked += this.clipped(blocked.begins[i], blocked.ends[i]);
      if (entry.items || entry.blocked) threads.push(entry);
    });
    return threads.sort((a, b) => b.busy - a.busy || a.key - b.key);
  }
}
