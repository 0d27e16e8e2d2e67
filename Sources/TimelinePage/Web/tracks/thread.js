// The row of a thread: the items that it runs, nested where a sync runs inside the item that called it, and below them
// the intervals in which it is blocked.

import { blockedHit, intervalAt, itemHit, leftOutHit, markAt } from '../picture/hits.js';
import { drawLeftOut } from '../picture/painter.js';
import { addTrackKind, THREAD_RUN, Track } from '../picture/track.js';
import { sliceHit } from './processor.js';
import { formatDuration, formatPercent, plural } from '../units.js';

const PINNED_THREAD_RUN = 18, BLOCKED_HEIGHT = 6, NESTED = 7, PROCESSOR_HEIGHT = 2.5;

export class ThreadTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ thread) {
    super(trace, 'thread' + thread, trace.labels.thread(thread));
    this.thread = thread;
    const { busy, blocked } = trace.threads[thread], { duration } = trace.sideOfThread(thread);
    this.subtitle = `${formatPercent(duration > 0 ? busy / duration : 0)} busy`
      + (blocked > 0 ? ` · blocked ${formatDuration(blocked)}` : '');
  }

  get items() { return this.trace.work(this.thread); }
  get run() { return this.isPinned ? PINNED_THREAD_RUN : THREAD_RUN; }
  get levels() { return this.trace.work(this.thread).lanes.count; }
  get height() { return 11 + this.run + (this.levels - 1) * NESTED + BLOCKED_HEIGHT; }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { trace, thread } = this, work = trace.work(thread), colour = p.palette.thread(thread);
    const top = y + 4, blockedTop = top + this.run + (this.levels - 1) * NESTED + 2;
    if (p.isDetailed(work)) {
      drawLeftOut(p, work, { base: top + this.run, height: this.run, full: 1 });
      const label = (/** @type {number} */ i) => trace.labels.threadBar(work.row(i));
      p.bars(work, { y: top, height: this.run, only: 0, fill: () => colour, label, row: (i) => work.row(i) });
      if (this.levels > 1) this.drawNested(p, work, top, colour);
    } else {
      p.area(work, { base: top + this.run, height: this.run, full: 1, fill: p.colours.run });
    }
    this.drawProcessor(p, y);
    p.barsOrArea(trace.blocked(thread),
      { y: blockedTop, height: BLOCKED_HEIGHT, fill: () => p.hatch(p.colours.blocked) },
      { base: blockedTop + BLOCKED_HEIGHT, height: BLOCKED_HEIGHT, full: 1, fill: p.colours.blocked });
    p.marks(trace.marksOfThread(thread), top, this.run, false);
  }

  /** Draws the thin line at the top: dark while the thread runs on a processor, vermilion while it is preempted. */
  drawProcessor(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { processors } = this.trace;
    if (!processors.isRecorded) return;
    const on = processors.on(this.thread), off = processors.off(this.thread);
    const bar = { y: y + 1, height: PROCESSOR_HEIGHT };
    if (!p.isDetailed(on)) {
      p.area(on, { base: y + 1 + PROCESSOR_HEIGHT, height: PROCESSOR_HEIGHT, full: 1, fill: p.colours.text });
      return;
    }
    p.bars(on, { ...bar, fill: () => p.colours.text });
    p.bars(off, { ...bar, fill: (i) => off.isPreempted[i] ? p.colours.blocked : 'transparent' });
  }

  /** Draws the nested items with a gap between the levels. */
  drawNested(/** @type {Painter} */ p, /** @type {Intervals} */ work, /** @type {number} */ top,
    /** @type {string} */ colour) {
    for (let level = 1; level < this.levels; level++) {
      p.bars(work, { y: top + this.run - NESTED + 1.5, height: NESTED - 2.5, laneHeight: NESTED, only: level,
        fill: () => colour, row: (i) => work.row(i) });
    }
  }

  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {
    p.rect(p.view.left - 5, y + 4, 3, this.height - 8, p.palette.thread(this.thread));
  }

  /** The interval on a processor at a place on the thin line. */
  sliceAt(/** @type {number} */ x, /** @type {Viewport} */ view) {
    const on = this.trace.processors.on(this.thread), at = intervalAt(on, view, x);
    return at < 0 ? null
      : sliceHit(this.trace, this.thread, on.processors[at], on.begins[at], on.ends[at], on.endings[at]);
  }

  /** The vertical position of hand-off arrows. */
  anchor(/** @type {number} */ y) { return y + 4 + this.run / 2; }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const { trace, thread } = this;
    const mark = markAt(trace, trace.marksOfThread(thread), view, x);
    if (mark) return mark;
    const slice = dy < 4 ? this.sliceAt(x, view) : null;
    if (slice) return slice;
    const work = trace.work(thread), blocked = trace.blocked(thread), below = dy - 4 - this.run;
    if (below > (this.levels - 1) * NESTED) {
      const at = intervalAt(blocked, view, x);
      if (at >= 0) return blockedHit(trace, blocked.causes[at]);
    }
    const level = below < 0 ? 0 : 1 + Math.floor(below / NESTED);
    const at = intervalAt(work, view, x, level);
    if (at >= 0) return itemHit(trace, work.row(at));
    const waiting = intervalAt(blocked, view, x);
    if (waiting >= 0) return blockedHit(trace, blocked.causes[waiting]);
    return leftOutHit(work, trace.leftOut.threads.series.get(thread), view, x);
  }
}

/** @type {Section} */
export const THREADS = { key: 'threads', title: 'Threads', isAlwaysThere: true,
  note: (_, side) => plural(side.threads.to - side.threads.from, 'thread'),
  // Folded for two traces, so that both are visible at once.
  startsFolded: ({ trace }) => trace.sides.length > 1 };

addTrackKind({
  section: THREADS,
  place: 32,
  tracks: (list, side) => {
    const { trace } = list, used = list.once('used threads' + side.name, () => trace.threads.map((_, thread) => thread)
      .filter((thread) => side.hasThread(thread) && trace.isUsedThread(thread)));
    return list.shown(used.map((thread) => list.once('thread' + thread, () => new ThreadTrack(trace, thread))));
  },
  legend: [['blocked', 'vermilion under a thread: it is blocked'], ['processor',
    'thin line over a thread: it runs on a processor; vermilion: it is preempted; a click shows the processor']],
});
