// Which thread ran on a processor at which time, where context switches were recorded.

import { BLOCKED, PREEMPTED } from './decoder.js';
import { Intervals } from './intervals.js';

export class Processors {
  constructor(/** @type {Trace} */ trace) { this.trace = trace; }

  /** Were context switches recorded? */
  get isRecorded() { return this.trace.slices.threads.size > 0; }

  /**
   * The intervals in which a thread ran on a processor, with `endings` and `processors` (-1 for unknown) by position.
   */
  on(/** @type {number} */ thread) {
    return this.trace.once('on processor' + thread, () => {
      const found = this.trace.slices.threads.get(thread) || { begin: [], end: [], ending: [], processor: [] };
      const intervals = new Intervals(Float64Array.from(found.begin), Float64Array.from(found.end));
      return Object.assign(intervals, { endings: found.ending, processors: found.processor });
    });
  }

  /**
   * The intervals in which a thread did not run: the gaps between runs. `isPreempted[i]` is true when the thread could
   * have run; otherwise it waited. Gaps after a switch that was not recorded are omitted.
   */
  off(/** @type {number} */ thread) {
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

  /** The time in [from, to) that a thread ran on a processor, was preempted, and was blocked. */
  share(/** @type {number} */ thread, /** @type {number} */ from, /** @type {number} */ to) {
    const sum = (/** @type {Intervals} */ intervals, /** @type {(position: number) => boolean} */ isCounted) => {
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
