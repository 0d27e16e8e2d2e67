// The items, waits and marks of a trace that are the evidence of a finding.

import { lowerBound } from '../trace/columns.js';

/** @type {Partial<Record<FocusScene, number>>} the kind of the marks that a scene is about */
const MARK_KINDS = { lateMutations: 0, lateRetargets: 1 };

/** The first mistakes of a finding: at most eight, one for each queue. */
export function marksOf(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const kind = MARK_KINDS[finding.focus.scene], seen = /** @type {Set<number>} */ (new Set());
  return trace.marks.filter((mark) => {
    if (mark.kind !== kind || mark.time < finding.begin || mark.time > finding.end || seen.size >= 8) return false;
    if (finding.code.length && !finding.code.includes(mark.code)) return false;
    const queue = trace.queueOfMark(mark), isNew = !seen.has(queue);
    seen.add(queue);
    return isNew;
  });
}

/** The begin and end of the item or wait that a piece of evidence refers to, by its thread and time. */
export function extentAt(/** @type {Trace} */ trace, /** @type {Finding} */ finding,
  /** @type {Proof} */ { thread, time }) {
  if (!trace.threads[thread]) return [time, time];
  const enqueued = enqueuedAt(trace, finding, time);
  if (enqueued >= 0) return [time, trace.items.end[enqueued]];
  const row = trace.runningOn(thread, time), blocked = trace.blocked(thread);
  const [first, last] = blocked.range(time, time + 1);
  for (let i = first; i < last; i++) {
    if (blocked.begins[i] <= time && blocked.ends[i] >= time) return [blocked.begins[i], blocked.ends[i]];
  }
  return row < 0 ? [time, time] : [Math.min(time, trace.items.begin[row]), trace.items.end[row]];
}

/** The row of the item of a finding's queues that was enqueued at a time; -1 without one. */
export function enqueuedAt(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {number} */ time) {
  return trace.once(`enqueued ${finding.id} ${time}`, () => {
    const { enqueued, begin } = trace.items;
    for (const queue of finding.queues) {
      const { start, end } = trace.groupOf.get(queue) || { start: 0, end: 0 };
      // Rows are in the order of begin, and no item begins before its enqueue.
      for (let row = lowerBound(begin, time, start, end); row < end; row++) {
        if (Math.abs(enqueued[row] - time) < 1 && begin[row] > enqueued[row]) return row;
      }
    }
    return -1;
  });
}
