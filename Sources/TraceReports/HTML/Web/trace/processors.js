// Who had a processor, and how many workers there were: what the scheduler and libdispatch's pool did.

import { gather, timeOrder } from './columns.js';
import { BLOCKED, PREEMPTED } from './decoder.js';
import { DepthSeries, Steps } from './depth.js';
import { Intervals } from './intervals.js';

export class Processors {
  constructor(trace) { this.trace = trace; }

  /** Context switches were recorded. */
  get isRecorded() { return this.trace.slices.threads.size > 0; }

  /** When a thread had a processor: intervals with `endings` and `processors` (-1 unknown) by position. */
  on(thread) {
    return this.trace.once('on processor' + thread, () => {
      const found = this.trace.slices.threads.get(thread) || { begin: [], end: [], ending: [], processor: [] };
      const intervals = new Intervals(Float64Array.from(found.begin), Float64Array.from(found.end));
      return Object.assign(intervals, { endings: found.ending, processors: found.processor });
    });
  }

  /** By number of the processor, who had it: intervals with `threads` and `endings` by position. */
  byProcessor(side = this.trace.sides[0]) {
    return this.trace.once('by processor' + side.name, () => {
      const lists = new Map();
      for (const [thread, { begin, end, ending, processor }] of this.trace.slices.threads) {
        if (!side.hasThread(thread)) continue;
        for (let i = 0; i < begin.length; i++) {
          if (processor[i] < 0) continue;
          if (!lists.has(processor[i])) lists.set(processor[i], { begins: [], ends: [], threads: [], endings: [] });
          const list = lists.get(processor[i]);
          list.begins.push(begin[i]);
          list.ends.push(end[i]);
          list.threads.push(thread);
          list.endings.push(ending[i]);
        }
      }
      const sorted = ({ begins, ends, threads, endings }) => {
        const order = timeOrder(Float64Array.from(begins));
        const column = (values) => gather(Float64Array.from(values), order);
        return Object.assign(new Intervals(column(begins), column(ends)), { threads: column(threads),
          endings: column(endings) });
      };
      return new Map([...lists].map(([processor, list]) => [processor, sorted(list)]));
    });
  }

  /**
   * When a thread had none: the gaps between, as intervals; `isPreempted[i]` where it could have run, otherwise it
   * waited for something. Gaps after a switch that was not recorded are not told of.
   */
  off(thread) {
    return this.trace.once('off processor' + thread, () => {
      const { begins, ends, endings } = this.on(thread), from = [], to = [], isPreempted = [];
      for (let i = 1; i < begins.length; i++) {
        if (begins[i] <= ends[i - 1] || endings[i - 1] > BLOCKED) continue;
        from.push(ends[i - 1]);
        to.push(begins[i]);
        isPreempted.push(endings[i - 1] === PREEMPTED);
      }
      return Object.assign(new Intervals(Float64Array.from(from), Float64Array.from(to)), { isPreempted });
    });
  }

  /** How much of [from, to) a thread was on a processor, preempted and blocked off it. */
  share(thread, from, to) {
    const sum = (intervals, isCounted) => {
      let time = 0;
      const [first, last] = intervals.range(from, to);
      for (let i = first; i < last; i++) {
        if (isCounted(i)) time += Math.max(0, Math.min(to, intervals.ends[i]) - Math.max(from, intervals.begins[i]));
      }
      return time;
    };
    const on = this.on(thread), off = this.off(thread);
    return { on: sum(on, () => true), preempted: sum(off, (i) => off.isPreempted[i]),
      blocked: sum(off, (i) => !off.isPreempted[i]) };
  }

  /**
   * libdispatch's workers over time, against the processors.
   * @returns { count, alive, active, running, blocked } - the number of processors (0 unknown), and series with `at`,
   *   `sample` and `peak`: workers that exist, that are not parked (null where the trace does not tell), that run items,
   *   and that are blocked (in a sync, for a lock, a group, a semaphore …)
   */
  workers(side = this.trace.sides[0]) {
    return this.trace.once('workers' + side.name, () => {
      const { trace } = this, threads = trace.threads.map((entry, thread) => ({ entry, thread }))
        .filter(({ entry, thread }) => entry.worker && side.hasThread(thread));
      const all = { run: [[], []], blocked: [[], []] };
      const add = ([begins, ends], intervals) => {
        // Nested ones count once: a worker runs one thing at a time.
        for (let i = 0, until = -Infinity; i < intervals.length; i++) {
          if (intervals.ends[i] <= until) continue;
          begins.push(Math.max(until, intervals.begins[i]));
          ends.push(until = intervals.ends[i]);
        }
      };
      for (const { thread } of threads) {
        add(all.run, trace.work(thread));
        add(all.blocked, trace.blocked(thread));
      }
      const depth = ([begins, ends]) => new DepthSeries(Float64Array.from(begins), Float64Array.from(ends));
      return { count: side.facts.processors, ...this.pool(side, threads.map(({ entry }) => entry)),
        running: depth(all.run), blocked: depth(all.blocked) };
    });
  }

  pool(side, threads) {
    const { resolution, time, most, last } = side.workers;
    if (!time.length) {
      // Without the pool's own events: from the first event of each worker to its end.
      return { active: null, alive: Steps.count(threads.map((entry) => entry.start),
        threads.map((entry) => entry.end).filter((end) => end >= 0)) };
    }
    const series = (key) => {
      const times = [], values = [];
      for (let i = 0; i < time.length; i++) {
        times.push(time[i]);
        values.push(most[key][i]);
        if (most[key][i] === last[key][i]) continue;
        times.push(Math.min(time[i] + resolution, i + 1 < time.length ? time[i + 1] : Infinity));
        values.push(last[key][i]);
      }
      return new Steps(times, values);
    };
    return { alive: series('alive'), active: series('active') };
  }
}
