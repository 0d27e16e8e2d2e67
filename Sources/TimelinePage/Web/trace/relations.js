// Relations between items: parent and children, the items that an item waited for, and the items of one code. Tables
// are built at their first use, in O(n). Later queries cost as much as the size of their result.

import { gatherRows, gatherTimes, partition, timeOrder } from './columns.js';
import { BARRIER, LEFT_OUT, NO_ITEM } from './decoder.js';

export class Relations {
  constructor(/** @type {Trace} */ trace) { this.trace = trace; }

  /**
   * The rows that an item submitted, in the order of the table (by queue, then begin). The parent of an item is
   * `items.parent[row]`: a row, NO_ITEM, or LEFT_OUT when the timeline has no detail of it.
   */
  children(/** @type {number} */ row) {
    const { starts, rows } = this.trace.once('children', () => {
      const { parent, count } = this.trace.items, starts = new Uint32Array(count + 1);
      for (let i = 0; i < count; i++) if (parent[i] >= 0) starts[parent[i] + 1]++;
      for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
      const next = starts.slice(), rows = new Uint32Array(starts[count]);
      for (let i = 0; i < count; i++) if (parent[i] >= 0) rows[next[parent[i]]++] = i;
      return { starts, rows };
    });
    return rows.subarray(starts[row], starts[row + 1]);
  }

  /** The chain of submitters, the nearest first. It ends at a submitter that has no row. */
  ancestors(/** @type {number} */ row, most = 1000) {
    const { parent } = this.trace.items, chain = [];
    for (let at = parent[row]; at >= 0 && chain.length < most; at = parent[at]) chain.push(at);
    return chain;
  }

  /** The rows that run a code (a position in `meta.codes`), in the order of begin. */
  itemsOfCode(/** @type {number} */ code) {
    return this.trace.once('code' + code, () => {
      const { shape, count } = this.trace.items, rows = [];
      const runsCode = Uint8Array.from(this.trace.shapes, (each) => Number(each.code === code));
      for (let row = 0; row < count; row++) if (runsCode[shape[row]]) rows.push(row);
      return this.trace.inOrder(Uint32Array.from(rows));
    });
  }

  /**
   * The items that occupied the queue while an item waited.
   *
   *     ahead      ├─ a ─┤├──── b ────┤
   *     the item      enqueued ┄┄┄┄┄┄┄┄├─ runs
   *
   * Returns { rows, last, thread }: `rows` are the items of the hierarchy's exclusion queue (for a concurrent queue,
   *   the barriers around it) that ran during the wait, by begin. `last` is the last of them, or NO_ITEM. `thread` is
   *   the thread that handed the queue to a sync, or -1.
   */
  waitedFor(/** @type {number} */ row) {
    const { items } = this.trace, from = items.enqueued[row], to = items.begin[row];
    const thread = items.handedOverBy.get(row) ?? -1;
    const ahead = this.rivals(row), rows = [];
    if (to > from && ahead) {
      const [first, end] = ahead.range(from, to);
      for (let i = first; i < end; i++) {
        const other = ahead.row(i);
        // A sync that is nested in an item of the same hierarchy does not occupy the queue itself.
        if (other !== row && items.end[other] > from && items.end[other] <= to + 200) rows.push(other);
      }
    }
    let last = NO_ITEM;
    for (const other of rows) if (last < 0 || items.end[other] > items.end[last]) last = other;
    return { rows, last, thread };
  }

  /**
   * The hand-off that gave a sync its queue.
   * Returns null, or { row, from, to, released, begin }: the item that released the queue (LEFT_OUT when it has no
   *   row), its thread and the thread of the sync, the time of the release and the begin of the sync
   */
  handoffInto(/** @type {number} */ row) {
    const { items } = this.trace, thread = items.handedOverBy.get(row);
    if (thread === undefined) return null;
    const { rows } = this.waitedFor(row);
    let giver = LEFT_OUT;
    for (const other of rows) {
      if (items.thread[other] === thread && (giver < 0 || items.end[other] > items.end[giver])) giver = other;
    }
    const released = giver >= 0 ? items.end[giver] : this.trace.releaseBefore(thread, items.begin[row]);
    return { row: giver, from: thread, to: items.thread[row], released, begin: items.begin[row] };
  }

  /** The items that an item may have to wait for, as intervals; null when no item excludes it. */
  rivals(/** @type {number} */ row) {
    const { trace } = this, queue = trace.items.queue[row], entry = trace.queues[queue];
    if (!entry) return null;
    if (entry.exclusion >= 0) {
      return trace.once('rivals' + entry.exclusion, () => trace.intervals(trace.rowsOfDomain(entry.exclusion)));
    }
    if (trace.shapeOf(row).flags & BARRIER) return trace.running(queue);
    return trace.once('barriers' + queue, () =>
      trace.intervals(trace.rowsOfQueue(queue).filter((other) => trace.shapeOf(other).flags & BARRIER)));
  }
  /** The items that an item submitted, in the order of submission. */
  offspring(/** @type {number} */ row) {
    const { enqueued } = this.trace.items, rows = this.children(row);
    return gatherRows(rows, timeOrder(gatherTimes(enqueued, rows)));
  }

  /** The items from the first ancestor to the item itself. */
  ancestry(/** @type {number} */ row, most = 12) { return [row, ...this.ancestors(row, most)].reverse(); }

  /** The position of an item in rows that are in the order of begin. */
  position(/** @type {Uint32Array} */ rows, /** @type {number} */ row) {
    const { begin } = this.trace.items;
    return partition(rows.length, (at) =>
      begin[rows[at]] < begin[row] || (begin[rows[at]] === begin[row] && rows[at] < row));
  }
}
