// Which thread had a processor when, where context switches were recorded.

import { BLOCKED, PREEMPTED } from './decoder.js';
import { Intervals } from './intervals.js';

export class Processors {
  constructor(/** @type {Trace} */ trace) { this.trace = trace; }

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
}
