// The row of a lock or of the exclusion queue of a hierarchy, with one lane per thread: solid while the thread holds
// it, hatched while the thread is blocked for it. A line leads from the lane that releases it to the lane that acquires
// it. Threads that take turns every few microseconds form a staircase:
//
//   thread 1  ██▒▒▒▒▒▒██▒▒▒▒▒▒██
//   thread 2  ▒▒██▒▒▒▒▒▒██▒▒▒▒
//   thread 3  ▒▒▒▒██▒▒▒▒▒▒██▒▒
//   thread 4  ▒▒▒▒▒▒██▒▒▒▒▒▒██

import { holdingHit, intervalAt, itemHit } from '../picture/hits.js';
import { BOLD } from '../picture/painter.js';
import { addTrackKind, Track } from '../picture/track.js';
import { LABEL_WIDTH } from '../picture/viewport.js';
import { gatherTimes, lowerBound } from '../trace/columns.js';
import { Intervals } from '../trace/intervals.js';
import { plural } from '../units.js';

const LANE_HEIGHT = 14, PINNED_LANE_HEIGHT = 22, MOST_LANES = 10, MOST_PINNED_LANES = 20, KEY_TOP = 46,
  KEY_HEIGHT = 30, MOST_DOMAINS = 6;

/**
 * The holds and waits of a thread.
 * @typedef {{ thread: number, blocked: number, held: Intervals, waited: Intervals }} Lane
 */

/** The holds of a lock or exclusion queue in the order of acquisition, and the holds and waits of each thread. */
export class Domain {
  /**
   * @param begins,ends,requested times of acquisition, release and request, in the order of acquisition
   * @param holder,asker the thread that held it and the thread that was blocked for it (they differ when another thread
   *   runs a sync)
   * @param rows the rows of the items that held it; null for a lock
   */
  constructor(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends,
    /** @type {Float64Array} */ requested, /** @type {Int32Array} */ holder, /** @type {Int32Array} */ asker,
    /** @type {Uint32Array | null} */ rows, /** @type {(position: number) => Hit} */ hit) {
    this.requested = requested;
    this.holder = holder;
    this.rows = rows;
    this.hit = hit;
    this.count = begins.length;
    this.all = new Intervals(begins, ends);
    this.blocked = 0;
    this.contended = 0;
    /** @type {Map<number, { thread: number, blocked: number, holds: number[], waits: number[] }>} */
    const lanes = new Map();
    const lane = (/** @type {number} */ thread) => {
      const entry = lanes.get(thread) || { thread, blocked: 0, holds: [], waits: [] };
      lanes.set(thread, entry);
      return entry;
    };
    for (let i = 0; i < this.count; i++) {
      lane(holder[i]).holds.push(i);
      if (begins[i] <= requested[i]) continue;
      const waiting = lane(asker[i]);
      waiting.waits.push(i);
      waiting.blocked += begins[i] - requested[i];
      this.blocked += begins[i] - requested[i];
      this.contended++;
    }
    /**
     * Threads that waited come first, then threads that only held. The order within is stable, so that lanes keep their
     * place. A thread waits for one object at a time, so the order of acquisition is the order of request.
     * @type {Lane[]}
     */
    this.lanes = [...lanes.values()]
      .sort((a, b) => Number(b.blocked > 0) - Number(a.blocked > 0) || a.thread - b.thread)
      .map(({ thread, blocked, holds, waits }) => ({ thread, blocked, held: Domain.spans(begins, ends, holds),
        waited: Domain.spans(requested, begins, waits) }));
  }

  /** The domain of the exclusion queue of a hierarchy. */
  static ofQueue(/** @type {Trace} */ trace, /** @type {number} */ queue) {
    return trace.once('queue domain' + queue, () => {
      const { begin, end, enqueued, thread, enqueuer } = trace.items, rows = trace.rowsOfDomain(queue);
      const requested = gatherTimes(begin, rows), holder = Int32Array.from(rows, (row) => thread[row]);
      const asker = holder.slice();
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (!trace.isSync(row)) continue;
        requested[i] = enqueued[row];
        if (enqueuer[row] >= 0) asker[i] = enqueuer[row];
      }
      return new Domain(gatherTimes(begin, rows), gatherTimes(end, rows), requested, holder, asker, rows,
        (i) => itemHit(trace, rows[i]));
    });
  }

  static ofLock(/** @type {Trace} */ trace, /** @type {number} */ lock) {
    return trace.once('lock domain' + lock, () => {
      const list = trace.holdings.filter((holding) => holding.lock === lock);
      const thread = Int32Array.from(list, (h) => h.thread);
      return new Domain(Float64Array.from(list, (h) => h.begin), Float64Array.from(list, (h) => h.end),
        Float64Array.from(list, (h) => h.requested), thread, thread, null, (i) => holdingHit(trace, list[i]));
    });
  }

  static spans(/** @type {Float64Array} */ from, /** @type {Float64Array} */ to, /** @type {number[]} */ positions) {
    const rows = Uint32Array.from(positions);
    return new Intervals(gatherTimes(from, rows), gatherTimes(to, rows), rows);
  }

  /** Did this holder request it before the previous holder, on another thread, released it? */
  isHandoff(/** @type {number} */ i) {
    return i > 0 && this.requested[i] < this.all.ends[i - 1] && this.holder[i] !== this.holder[i - 1]
      && this.all.begins[i] > this.requested[i];
  }
}

export class DomainTrack extends Track {
  /** @param {Domain} domain */
  constructor(/** @type {Trace} */ trace, domain, /** @type {string} */ title, /** @type {string} */ kind,
    /** @type {string} */ key) {
    super(trace, key, title, kind);
    this.domain = domain;
    /** @type {Lane[]} */
    this.shown = [];
    /** The number of threads without a lane, and their holds. */
    this.rest = 0;
    this.others = Domain.spans(domain.all.begins, domain.all.ends, []);
    this.arrange(domain.lanes.slice(0, domain.lanes.length > MOST_LANES ? MOST_LANES - 1 : MOST_LANES));
    this.note = plural(domain.contended, 'wait');
  }

  /** Selects the lanes and their order. The other threads share the last lane. */
  arrange(/** @type {Lane[]} */ lanes) {
    this.shown = lanes;
    this.rest = this.domain.lanes.length - lanes.length;
    const { domain } = this, isShown = new Set(this.shown.map((lane) => lane.thread)), others = [];
    if (this.rest) for (let i = 0; i < domain.count; i++) if (!isShown.has(domain.holder[i])) others.push(i);
    this.others = Domain.spans(domain.all.begins, domain.all.ends, others);
  }

  /**
   * Orders the lanes by the first acquisition in an interval, so that round-robin turns look like stairs. Threads
   * without a hold or wait in the interval share the last lane.
   */
  arrangeIn(/** @type {number} */ from, /** @type {number} */ to) {
    const turn = /** @type {Map<number, number>} */ (new Map()), { all, holder, lanes } = this.domain;
    for (let i = lowerBound(all.begins, from); i < this.domain.count && all.begins[i] < to; i++) {
      if (!turn.has(holder[i])) turn.set(holder[i], turn.size);
    }
    const place = (/** @type {Lane} */ { thread }) => turn.get(thread) ?? 1e6 + thread;
    const isUsed = (/** @type {Lane} */ { held, waited }) => held.count(from, to) > 0 || waited.count(from, to) > 0;
    this.arrange(lanes.filter(isUsed).sort((a, b) => place(a) - place(b)).slice(0, MOST_PINNED_LANES));
  }

  static ofQueue(/** @type {Trace} */ trace, /** @type {number} */ queue) {
    const track = new DomainTrack(
      trace, Domain.ofQueue(trace, queue), trace.labels.queue(queue), 'exclusion queue', 'domain' + queue);
    track.queues = trace.queues.map((_, index) => index).filter((index) => trace.queues[index].exclusion === queue);
    return track;
  }

  static ofLock(/** @type {Trace} */ trace, /** @type {number} */ lock) {
    const kind = trace.meta.locks[lock].fair ? 'fair lock' : 'lock';
    return new DomainTrack(trace, Domain.ofLock(trace, lock), trace.labels.lock(lock), kind, 'lock' + lock);
  }

  shows(/** @type {number} */ row) { return this.queues.includes(this.trace.items.queue[row]); }

  get laneHeight() { return this.isPinned ? PINNED_LANE_HEIGHT : LANE_HEIGHT; }
  get height() { return 26 + Math.max(3, this.shown.length + (this.rest ? 1 : 0)) * this.laneHeight; }

  laneTop(/** @type {number} */ y, /** @type {number} */ lane) { return y + 20 + lane * this.laneHeight; }
  /** The place of the area of a lane with too many intervals for single bars. */
  laneArea(/** @type {number} */ top) {
    return { base: top + this.laneHeight - 2, height: this.laneHeight - 4, full: 1 };
  }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { view } = p;
    this.drawHolder(p, y + 3);
    this.shown.forEach((lane, number) => {
      const top = this.laneTop(y, number), colour = p.palette.thread(lane.thread), area = this.laneArea(top);
      p.rect(view.left, top + this.laneHeight - 1, view.width, 1, p.colours.line);
      p.barsOrArea(lane.waited, { y: top + 2, height: this.laneHeight - 5, fill: () => p.hatch(colour) }, area, 0.5);
      p.barsOrArea(lane.held, { y: top + 1, height: this.laneHeight - 3, fill: () => colour,
        row: (i) => this.rowOf(lane.held.row(i)) }, area, 0.5);
    });
    if (this.rest) this.drawOthers(p, this.laneTop(y, this.shown.length));
    this.drawHandoffs(p, y);
  }

  /** Draws the last lane, for the threads without a lane. */
  drawOthers(/** @type {Painter} */ p, /** @type {number} */ top) {
    p.barsOrArea(this.others, { y: top + 1, height: this.laneHeight - 3,
      fill: (i) => p.palette.thread(this.domain.holder[this.others.row(i)]),
      row: (i) => this.rowOf(this.others.row(i)) }, { ...this.laneArea(top), fill: p.colours.run }, 0.5);
  }

  drawLabel(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {string} */ fold) {
    p.text(fold + this.title, 12, y + 10, p.colours.strong, { width: LABEL_WIDTH - 28, font: BOLD });
    p.text(this.subtitle, 12, y + 24, p.colours.faint, { width: 100 });
    p.text(this.note, 12, y + 38, p.colours.faint, { width: 110 });
    this.drawMargin(p, y);
  }

  /** Draws the names of the threads next to the lanes, and the key of the strokes. */
  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {
    const right = p.view.left - 10;
    this.shown.forEach((lane, number) => {
      const top = this.laneTop(y, number);
      p.text(this.trace.labels.thread(lane.thread), right, top + this.laneHeight / 2 - 0.5, p.colours.text,
        { align: 'right', width: 122 });
      p.rect(p.view.left - 6, top + 2, 3, this.laneHeight - 5, p.palette.thread(lane.thread));
    });
    if (this.rest) {
      p.text(`and ${plural(this.rest, 'more thread')}`, right, this.laneTop(y, this.shown.length) + 7, p.colours.faint,
        { align: 'right' });
    }
    if (this.height >= KEY_TOP + KEY_HEIGHT) this.drawKey(p, y + KEY_TOP);
  }

  drawKey(/** @type {Painter} */ p, /** @type {number} */ y) {
    /** @type {[string, Fill][]} */
    const rows = [['holds it', p.colours.text], ['is blocked for it', p.hatch(p.colours.text)]], left = 12;
    rows.forEach(([text, fill], number) => {
      p.rect(left, y + 4 + number * 14, 12, 8, fill);
      p.text(text, left + 17, y + 8 + number * 14, p.colours.faint);
    });
  }

  /** Draws the strip at the top, in the colour of the holding thread. */
  drawHolder(/** @type {Painter} */ p, /** @type {number} */ y) {
    p.barsOrArea(this.domain.all, { y, height: 11, fill: (i) => p.palette.thread(this.domain.holder[i]) },
      { base: y + 11, height: 11, full: 1, fill: p.colours.run });
  }

  drawHandoffs(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { domain } = this, { view, ctx } = p;
    const [first, last] = domain.all.range(view.from, view.to);
    if (last - first > view.width / 3) return;
    const laneOf = new Map(this.shown.map((lane, number) => [lane.thread, number]));
    const isClose = last - first < view.width / 14;
    for (let i = Math.max(1, first); i < Math.min(last + 1, domain.count); i++) {
      if (!domain.isHandoff(i)) continue;
      const from = laneOf.get(domain.holder[i - 1]) ?? this.shown.length;
      const to = laneOf.get(domain.holder[i]) ?? this.shown.length;
      if (from === to) continue;
      const down = to > from;
      const x1 = view.x(domain.all.ends[i - 1]), x2 = view.x(domain.all.begins[i]);
      const y1 = this.laneTop(y, from) + (down ? this.laneHeight - 2 : 1);
      const y2 = this.laneTop(y, to) + (down ? 1 : this.laneHeight - 2);
      if (isClose) { p.arrow(x1, y1, x2, y2, p.colours.handoff, 1.2); continue; }
      ctx.strokeStyle = p.colours.handoff;
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
      ctx.stroke();
    }
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const lane = Math.floor((dy - 20) / this.laneHeight);
    if (dy < 20 || lane >= this.shown.length) {
      const at = intervalAt(this.domain.all, view, x);
      return at < 0 ? null : this.domain.hit(at);
    }
    const { held, waited } = this.shown[lane];
    const holding = intervalAt(held, view, x);
    if (holding >= 0) return this.domain.hit(held.row(holding));
    const waiting = intervalAt(waited, view, x);
    return waiting < 0 ? null : this.domain.hit(waited.row(waiting));
  }

  /** The row of the item at a position; -1 for a lock. */
  rowOf(/** @type {number} */ position) { return this.domain.rows ? this.domain.rows[position] : -1; }
}

/** The domains with the longest total of blocked time. */
function worstDomains(/** @type {Trace} */ trace, /** @type {Side} */ side) {
  const { enqueued, begin, queue } = trace.items, blocked = /** @type {Map<number, number>} */ (new Map());
  for (let row = side.rows.from; row < side.rows.to; row++) {
    if (begin[row] <= enqueued[row] || !trace.isSync(row)) continue;
    const owner = trace.queues[queue[row]], domain = owner ? owner.exclusion : -1;
    if (domain >= 0) blocked.set(domain, (blocked.get(domain) || 0) + begin[row] - enqueued[row]);
  }
  const worst = [...blocked].sort((a, b) => b[1] - a[1]).slice(0, MOST_DOMAINS);
  const tracks = worst.map(([domain]) => DomainTrack.ofQueue(trace, domain));
  for (let lock = side.locks.from; lock < side.locks.to; lock++) {
    const track = DomainTrack.ofLock(trace, lock);
    if (track.domain.count) tracks.push(track);
  }
  return tracks.sort((a, b) => b.domain.blocked - a.domain.blocked).slice(0, MOST_DOMAINS);
}

/** @type {(list: TrackList, side: Side) => DomainTrack[]} */
const domainTracks = (list, side) => list.once('domains' + side.name, () => worstDomains(list.trace, side));

addTrackKind({
  section: { key: 'domains', title: 'Locks and exclusion queues', note: () => 'holding and blocked threads',
    // Below a finding, the section is folded when the finding has such rows itself, or when no row has more than one
    // wait.
    startsFolded: (list, side) => {
      const pinned = list.pinned ? list.pinned.tracks : [];
      return pinned.some((track) => track instanceof DomainTrack)
        || (pinned.length > 0 && domainTracks(list, side).every((track) => track.domain.contended < 2));
    } },
  place: 10,
  tracks: (list, side) => list.shown(domainTracks(list, side)),
  legend: [['waits', 'hatched in the colour of a thread: it is blocked for the lock or queue']],
});
