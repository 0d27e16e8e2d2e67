// Draws arrows between rows: hand-offs between threads when at most `MOST_ARROWS` are in view, and the relations of the
// selected item (its enqueuers, the hand-off of the queue, and the items that it enqueued).

import { RULER_HEIGHT } from './viewport.js';

const MOST_ARROWS = 60, MOST_CHILDREN = 40;

export class Connections {
  constructor(/** @type {Trace} */ trace, /** @type {Viewport} */ view) {
    this.trace = trace;
    this.view = view;
  }

  /**
   * The vertical position of each thread and queue on the canvas. A visible row is preferred. Without one, an arrow
   * points to the position of a row outside of the view.
   */
  static anchors(/** @type {Placed[]} */ placed, /** @type {number} */ offset, /** @type {number} */ height) {
    const isSeen = (/** @type {number} */ y) => y >= RULER_HEIGHT && y <= height;
    /** @type {ArrowPlaces} */
    const places = { threads: new Map(), queues: new Map(), isSeen };
    for (const { row, y } of placed) {
      if (row.isSection) continue;
      const at = row.anchor(offset + y);
      if (at === undefined) continue;
      const [map, key] = row.thread >= 0 ? [places.threads, row.thread] : [places.queues, row.queue];
      const known = map.get(key);
      if (known === undefined || (!isSeen(known) && isSeen(at))) map.set(key, at);
    }
    return places;
  }

  /** The position of an item: on its thread's row when that row is visible, otherwise on its queue's row. */
  place(/** @type {ArrowPlaces} */ places, /** @type {number} */ row) {
    const { thread, queue } = this.trace.items;
    return this.nearest(places, places.threads.get(thread[row]), places.queues.get(queue[row]));
  }

  /** The position of the enqueue: on the enqueuing thread's row, or on the row of the item that enqueued. */
  origin(/** @type {ArrowPlaces} */ places, /** @type {number} */ row, /** @type {number} */ parent) {
    const thread = places.threads.get(this.trace.items.enqueuer[row]);
    return this.nearest(places, thread, parent >= 0 ? places.queues.get(this.trace.items.queue[parent]) : undefined);
  }

  /** @type {(places: ArrowPlaces, one: number | undefined, other: number | undefined) => number | undefined} */
  nearest(places, one, other) {
    if (one !== undefined && (places.isSeen(one) || other === undefined || !places.isSeen(other))) return one;
    return other;
  }

  /** Draws the hand-offs between threads for the queue of the selected item. */
  drawHandoffs(/** @type {Painter} */ p, /** @type {number} */ queue, /** @type {Map<number, number>} */ anchors) {
    const { trace, view } = this, { handoffs, items } = trace;
    const [first, last] = handoffs.range(view.from, view.to);
    if (last - first > MOST_ARROWS || anchors.size < 2) return;
    for (let i = first; i < last; i++) {
      const row = handoffs.row(i);
      if (items.queue[row] !== queue) continue;
      const by = items.handedOverBy.get(row) ?? -1, giver = anchors.get(by), taker = anchors.get(items.thread[row]);
      if (giver === undefined || taker === undefined || by === items.thread[row]) continue;
      const from = view.x(trace.releaseBefore(by, items.begin[row]));
      p.faded(0.7, () => p.arrow(from, giver, view.x(items.begin[row]), taker, p.colours.strong, 1));
    }
  }

  /** Draws the relations of the selected item. Blue arrows are enqueues, vermilion arrows are waits. */
  drawItem(/** @type {Painter} */ p, /** @type {number} */ row, /** @type {ArrowPlaces} */ places,
    /** @type {number} */ bodyHeight) {
    const { view } = this, { items } = this.trace;
    const from = view.x(items.enqueued[row]), to = view.x(items.begin[row]);
    if (to > from + 1) p.faded(0.1, () => p.rect(from, RULER_HEIGHT, to - from, bodyHeight, p.colours.wait));
    const children = this.trace.relations.children(row).subarray(0, MOST_CHILDREN);
    p.faded(0.55, () => { for (const child of children) this.drawEnqueue(p, child, row, places, 1); });
    const chain = this.trace.relations.ancestry(row);
    chain.forEach((each, number) => {
      const parent = number ? chain[number - 1] : -1;
      this.drawEnqueue(p, each, parent, places, each === row ? 2 : 1.3);
      if (each !== row) this.outline(p, each, places, p.colours.focus);
    });
    if (!this.drawHandoff(p, row, places)) this.drawCause(p, row, places);
  }

  /** @type {(p: Painter, row: number, parent: number, places: ArrowPlaces, width: number) => void} */
  drawEnqueue(p, row, parent, places, width) {
    const { items } = this.trace, start = this.origin(places, row, parent), end = this.place(places, row);
    if (start === undefined || end === undefined) return;
    const from = this.view.x(items.enqueued[row]), to = this.view.x(items.begin[row]);
    if (Math.abs(start - end) < 1 && to - from < 4) return;
    p.arrow(from, start, to, end, p.colours.focus, width, true);
  }

  /** @type {(p: Painter, row: number, places: ArrowPlaces, colour: string) => void} */
  outline(p, row, places, colour) {
    const { items } = this.trace, y = this.place(places, row);
    if (y !== undefined) p.frameTime(items.begin[row], items.end[row], y, colour);
  }

  drawHandoff(/** @type {Painter} */ p, /** @type {number} */ row, /** @type {ArrowPlaces} */ places) {
    const handoff = this.trace.relations.handoffInto(row);
    if (!handoff) return false;
    const giver = places.threads.get(handoff.from), end = places.threads.get(handoff.to);
    if (giver === undefined || end === undefined || handoff.from === handoff.to) return false;
    if (handoff.row >= 0) this.outline(p, handoff.row, places, p.colours.blocked);
    p.arrow(this.view.x(handoff.released), giver, this.view.x(handoff.begin), end,
      p.colours.blocked, 1.6, true);
    return true;
  }

  /** Draws an arrow from the end of the last item that occupied the queue to the begin of this item. */
  drawCause(/** @type {Painter} */ p, /** @type {number} */ row, /** @type {ArrowPlaces} */ places) {
    const { items } = this.trace, { last } = this.trace.relations.waitedFor(row);
    if (last < 0) return;
    const from = this.place(places, last), to = this.place(places, row);
    if (from === undefined || to === undefined) return;
    this.outline(p, last, places, p.colours.blocked);
    p.arrow(this.view.x(items.end[last]), from, this.view.x(items.begin[row]), to,
      p.colours.blocked, 1.4, true);
  }
}
