// The causal path of an item: the chain of causes from its submission to its end. It is followed backwards from the
// end, as DispatchModel's CriticalPath does, but only with the data of the page.
//
//   thread 1   ├─ a ── async ┄┄┄┄┄┤                     wait ├──┤ end
//   thread 2                  start ├─ b ── signal ┄┄┄┄┄┄┄┄╯
//   path       ├─── run a ───┤─start─┤──── run b ───┤─ wake ─┤run┤
//
// Shortening a segment does not necessarily shorten the whole path by the same time, because another chain may be
// nearly as long.

import { lowerBound } from './columns.js';
import { STEP_KINDS } from './vocabulary.js';

const MOST_SEGMENTS = 20000;
/** The words for a sum of segments, by kind. */
export const SEGMENT_TITLES = Object.fromEntries(STEP_KINDS.map(({ name, title }) => [name, title]));

/** The time per kind, the longest first: [kind, time]. */
export function timesByKind(/** @type {{ kind: string, time: number }[]} */ parts) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { kind, time } of parts) if (time > 0) times.set(kind, (times.get(kind) || 0) + time);
  return [...times].sort((a, b) => b[1] - a[1]);
}

/** The time per kind of a path's steps within an interval, the longest first: [kind, time]. */
export function pathKinds(/** @type {PathSegment[]} */ segments, from = -Infinity, to = Infinity) {
  return timesByKind(segments.map((segment) =>
    ({ kind: segment.kind, time: Math.min(to, segment.to) - Math.max(from, segment.from) })));
}

export class CausalPath {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ row) {
    this.trace = trace;
    this.row = row;
    this.from = trace.items.enqueued[row];
    this.to = trace.items.end[row];
    /** @type {PathSegment[]} the steps in order of time */
    this.segments = [];
    this.isComplete = this.follow();
    this.segments.reverse();
  }

  /** @type {(kind: string, from: number, to: number, row: number, thread: number) => void} */
  add(kind, from, to, row, thread) {
    from = Math.max(from, this.from);
    if (to > from) this.segments.push({ kind, from, to, row, thread });
  }

  follow() {
    const { items } = this.trace;
    let time = this.to, row = this.row;
    for (let steps = 0; time > this.from && steps < MOST_SEGMENTS; steps++) {
      if (row < 0 || time < items.begin[row]) {
        this.add('outside', this.from, time, -1, -1);
        return true;
      }
      // An effect of an item may be recorded after the item's end, for example the notification of a group.
      const inItem = Math.min(time, items.end[row]);
      this.add('outside', inItem, time, -1, items.thread[row]);
      [time, row] = this.overWait(row, inItem) || this.overBegin(row, inItem);
    }
    return time <= this.from;
  }

  /**
   * Steps back from a time in an item over the last wait in it: to the item that ended the wait, or to the begin of the
   * wait. Null without a wait.
   */
  overWait(/** @type {number} */ row, /** @type {number} */ time) {
    const { trace } = this, { items } = trace, thread = items.thread[row], blocked = trace.blocked(thread);
    let i = lowerBound(blocked.begins, time) - 1;
    while (i >= 0 && blocked.ends[i] > time) i--;
    if (i < 0 || blocked.begins[i] < items.begin[row] || blocked.ends[i] <= items.begin[row]) return null;
    const from = blocked.begins[i], to = blocked.ends[i], cause = trace.blockedBy(blocked.causes[i]);
    this.add('run', to, time, row, thread);
    if (cause.row >= 0 && items.thread[cause.row] !== thread) {
      this.add('wake', items.end[cause.row], to, cause.row, thread);
      return [Math.min(to, items.end[cause.row]), cause.row];
    }
    if (cause.row >= 0) {
      const { last } = trace.relations.waitedFor(cause.row);
      if (last >= 0 && last !== row && items.end[last] > from && items.end[last] <= to) {
        this.add('handoff', items.end[last], to, cause.row, thread);
        return [items.end[last], last];
      }
    }
    const { wait } = cause;
    if (wait && wait.signallingItem >= 0 && wait.signalled > from && wait.signalled <= to) {
      this.add('wake', wait.signalled, to, row, thread);
      return [wait.signalled, wait.signallingItem];
    }
    this.add('blocked', from, to, row, thread);
    return [from, row];
  }

  /**
   * Steps back from a time in an item over its begin: to the item that occupied the queue, or to the item's submission.
   */
  overBegin(/** @type {number} */ row, /** @type {number} */ time) {
    const { trace } = this, { items } = trace, begin = items.begin[row], thread = items.thread[row];
    this.add('run', begin, time, row, thread);
    const { last } = trace.relations.waitedFor(row);
    if (last >= 0 && items.end[last] <= begin && items.end[last] > items.enqueued[row]) {
      this.add('queued', items.end[last], begin, row, thread);
      return [items.end[last], last];
    }
    this.add('start', items.enqueued[row], begin, row, thread);
    return [items.enqueued[row], items.parent[row]];
  }

  /** The time per kind of segment, the longest first. */
  get kinds() { return pathKinds(this.segments); }

  /** The time per code of the items that ran, the longest first, with one row of each code. */
  get codes() {
    /** @type {Map<number, { row: number, time: number }>} */
    const times = new Map();
    for (const { kind, from, to, row } of this.segments) {
      if (kind !== 'run') continue;
      const { code } = this.trace.shapeOf(row), entry = times.get(code) || { row, time: 0 };
      entry.time += to - from;
      times.set(code, entry);
    }
    return [...times.values()].sort((a, b) => b.time - a.time);
  }
}
