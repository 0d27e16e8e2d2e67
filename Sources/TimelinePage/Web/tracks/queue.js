// The row of a queue: waiting items at the top, running items below, on several lanes where they overlap.
//
//   waits   ▁▂▃▃▂▁      depth of the backlog; thin lines from enqueue to begin when zoomed in
//   runs    ███ ██ █    one lane for a serial queue, more lanes for concurrent readers

import { intervalAt, itemHit, leftOutHit, markAt } from '../picture/hits.js';
import { drawLeftOut } from '../picture/painter.js';
import { addTrackKind, Track } from '../picture/track.js';
import { groupBy } from '../trace/columns.js';
import { BARRIER, CANCELLED } from '../trace/decoder.js';
import { KIND_TITLES } from '../trace/labels.js';
import { GROUP_SIZE, OverlapTrack } from './overlap.js';
import { commonLabel, formatDuration, formatPercent, formatPoint, labelPattern, plural } from '../units.js';

// The pinned rows of a finding have space for labels on sub-lanes, too.
const WAIT_HEIGHT = 10, RUN_HEIGHT = 14, SUB_LANE = 9, PINNED_RUN_HEIGHT = 20, PINNED_SUB_LANE = 16;

export class QueueTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ queue, indent = 0) {
    super(trace, 'queue' + queue, trace.labels.queue(queue));
    this.queue = queue;
    this.queues = [queue];
    this.indent = indent;
    const { kind, qos, serial, load } = trace.queues[queue], group = trace.groupOf.get(queue);
    this.subtitle = kind.replace('_', ' ') + (qos === 'unspecified' ? '' : ' · ' + qos.replace('_', '-'));
    if (serial === 0 && group && group.end > group.start) {
      // Iterations of concurrentPerform run on no queue.
      this.subtitle = this.title;
      this.title = KIND_TITLES[trace.kindOf(group.start)] || kind;
    }
    if (load >= 0.0005) this.subtitle += ` · ${formatPercent(load)} busy`;
    this.isEmpty = !group && !trace.marksOfQueue(queue).length && !trace.pendingOfQueue(queue).length;
  }

  get runHeight() { return this.isPinned ? PINNED_RUN_HEIGHT : RUN_HEIGHT; }
  get subLane() { return this.isPinned ? PINNED_SUB_LANE : SUB_LANE; }
  get lanes() { return this.trace.running(this.queue).lanes.count; }
  get height() { return this.isEmpty ? 22 : 7 + WAIT_HEIGHT + this.runsHeight; }
  get runsHeight() { return this.lanes > 1 ? this.lanes * this.subLane : this.runHeight; }
  get items() { return this.trace.running(this.queue); }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    if (this.isEmpty) return;
    const { trace, queue } = this, { items } = trace;
    const running = trace.running(queue), waiting = trace.waiting(queue);
    const { lanes, runHeight, subLane } = this, isThin = lanes > 1 && subLane < RUN_HEIGHT;
    const runTop = y + 3 + WAIT_HEIGHT;
    if (p.isDetailed(waiting, 0.25)) {
      drawLeftOut(p, waiting, { base: runTop - 1, height: WAIT_HEIGHT - 2, full: Math.max(1, waiting.peak()) });
      p.bars(waiting, { y: y + 3, height: 2, laneHeight: 3, fill: () => p.colours.wait, row: (i) => waiting.row(i) });
    } else {
      p.area(waiting, { base: runTop - 1, height: WAIT_HEIGHT - 2, full: Math.max(1, waiting.peak()),
        fill: p.colours.wait });
    }
    if (p.isDetailed(running)) {
      drawLeftOut(p, running, { base: runTop + this.runsHeight, height: this.runsHeight, full: lanes });
      p.bars(running, {
        y: runTop, height: lanes > 1 ? subLane - 1 : runHeight, laneHeight: subLane,
        fill: (i) => p.palette.thread(items.thread[running.row(i)]),
        label: isThin ? null : (i) => trace.labels.bar(running.row(i)),
        row: (i) => running.row(i),
      });
      if (trace.queues[queue].kind === 'concurrent') this.drawBarriers(p, running, runTop);
    } else {
      p.area(running, { base: runTop + this.runsHeight, fill: p.colours.run,
        height: this.runsHeight, full: lanes });
    }
    this.drawPending(p, y, runTop + runHeight / 2, running);
    p.marks(trace.marksOfQueue(queue), runTop, runHeight);
  }

  /**
   * Draws the items that had not begun at the end of the trace: a line above the waiting items, and their number where
   * no item runs.
   */
  drawPending(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {number} */ middle,
    /** @type {Intervals} */ running) {
    const waits = this.trace.pendingWaits(this.queue), { view } = p;
    if (!waits.length) return;
    const [first, last] = waits.range(view.from, view.to);
    p.barsOrArea(waits, { y, height: 2.5, fill: () => p.colours.blocked }, { base: y + 2.5, height: 2.5, full: 1 });
    if (last === first) return;
    const text = `${plural(last - first, 'item')} had not begun`;
    const left = Math.max(view.left, view.x(waits.begins[first])) + 8, right = left + p.textWidth(text);
    const isFree = running.count(view.time(left - 8), view.time(right)) === 0;
    if (isFree && right < view.right) p.text(text, left, middle, p.colours.text);
  }

  /** Draws barriers over all lanes with bold ends, because a barrier occupies the whole queue. */
  drawBarriers(/** @type {Painter} */ p, /** @type {Intervals} */ running, /** @type {number} */ top) {
    const [first, last] = running.range(p.view.from, p.view.to), height = this.runsHeight - (this.lanes > 1 ? 1 : 0);
    for (let i = first; i < last; i++) {
      const row = running.row(i);
      if (!(this.trace.shapeOf(row).flags & BARRIER)) continue;
      const left = Math.max(p.view.left, p.view.x(running.begins[i])),
        right = Math.max(left + 1, p.view.x(running.ends[i])), width = right - left;
      const colour = p.isMatch && !p.isMatch(row) ? p.colours.dim : p.palette.thread(this.trace.items.thread[row]);
      p.rect(left, top, width, height, colour);
      for (const x of width > 8 ? [left, right - 3] : [left - 1]) p.rect(x, top - 2, 3, height + 4, p.colours.strong);
      if (width > 50) p.text('barrier', left + 7, top + height / 2 + 0.5, p.palette.ink(colour), { width: width - 14 });
      if (row === p.selected) p.outline(left, top, width, height);
    }
  }

  /** The vertical position of arrows. */
  anchor(/** @type {number} */ y) { return y + (this.isEmpty ? 11 : 3 + WAIT_HEIGHT + this.runHeight / 2); }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    if (this.isEmpty) return null;
    const { trace, queue } = this, waits = trace.pendingWaits(queue);
    const mark = dy > WAIT_HEIGHT && markAt(trace, trace.marksOfQueue(queue), view, x);
    if (mark) return mark;
    const inWaits = dy < 3 + WAIT_HEIGHT, above = dy < 4 ? intervalAt(waits, view, x) : -1;
    if (above >= 0) return pendingHit(trace, trace.pendingOfQueue(queue)[above]);
    const intervals = inWaits ? trace.waiting(queue) : trace.running(queue);
    const lane = !inWaits && this.lanes > 1 ? Math.floor((dy - 3 - WAIT_HEIGHT) / this.subLane) : -1;
    const at = intervalAt(intervals, view, x, lane);
    if (at >= 0) return itemHit(trace, intervals.row(at));
    const pending = intervalAt(waits, view, x);
    if (pending >= 0) return pendingHit(trace, trace.pendingOfQueue(queue)[pending]);
    return leftOutHit(intervals, trace.leftOut.queues.series.get(queue), view, x);
  }
}

export function pendingHit(/** @type {Trace} */ trace,
  /** @type {PendingItem} */ { queue, kind, code, enqueuer, parent, enqueued, until, flags }) {
  const isCancelled = flags & CANCELLED;
  return { row: -1, extent: [enqueued, until], describe: () => ({
    title: isCancelled ? 'Cancelled before it began' : 'Had not begun', facts: [
      ['queue', trace.labels.queue(queue)], ['code', trace.labels.code(code)],
      ['kind', trace.labels.kind(trace.meta.kinds[kind], flags)],
      enqueuer >= 0 ? ['enqueued by', trace.labels.thread(enqueuer)] : null,
      parent >= 0 ? ['in', trace.labels.item(parent)] : null, ['at', formatPoint(enqueued)],
      ['waited', formatDuration(until - enqueued) + (isCancelled ? '' : ', until the end of the shown part')]] }) };
}

/**
 * The queues by target queue. Sibling queues whose labels are equal or differ only in numbers share one row that can
 * be unfolded.
 */
class QueueTree {
  constructor(/** @type {TrackList} */ list) {
    const { queues } = list.trace;
    this.list = list;
    this.trace = list.trace;
    this.children = queues.map(() => /** @type {number[]} */ ([]));
    /** @type {number[]} */
    this.roots = [];
    queues.forEach((queue, index) => {
      // In a damaged trace, a queue can target itself or a queue that does not exist.
      const hasTarget = queue.target >= 0 && queue.target < queues.length && queue.target !== index;
      (hasTarget ? this.children[queue.target] : this.roots).push(index);
    });
    this.subtotals = new Float64Array(queues.length).fill(-1);
  }

  /** The rows of the queues of the wanted kinds, and of the queues that target them. */
  rows(/** @type {Side} */ side, /** @type {(kind: string) => boolean} */ isWanted) {
    const wanted = (/** @type {number} */ queue) => side.hasQueue(queue) && isWanted(this.trace.queues[queue].kind);
    return this.branch(this.roots.filter(wanted), 0);
  }

  /** @returns {boolean} Does the filter keep a queue, or a queue that targets it? */
  isShown(/** @type {number} */ queue, steps = 0) {
    const { filter } = this.list;
    return !filter || !filter.isOn || filter.shownQueues.has(queue)
      || (steps < 32 && this.children[queue].some((child) => this.isShown(child, steps + 1)));
  }

  /** The number of items of a queue and of the queues that target it. */
  subtotal(/** @type {number} */ queue) {
    if (this.subtotals[queue] >= 0) return this.subtotals[queue];
    this.subtotals[queue] = 0;
    const { trace } = this, group = trace.groupOf.get(queue);
    let sum = (group ? group.end - group.start : 0) + (trace.leftOut.hasQueue(queue) ? 1 : 0)
      + trace.marksOfQueue(queue).length + trace.pendingOfQueue(queue).length;
    for (const child of this.children[queue]) sum += this.subtotal(child);
    return this.subtotals[queue] = sum;
  }

  /** @returns {Track[]} */
  branch(/** @type {number[]} */ queues, /** @type {number} */ indent) {
    const { trace, list } = this, used = queues.filter((queue) => this.subtotal(queue) > 0 && this.isShown(queue));
    const groups = groupBy(used, (queue) => {
      // A queue with own child queues always has its own row.
      return this.children[queue].length === 0 ? labelPattern(trace.queues[queue].label) : queue;
    });
    const waited = (/** @type {number} */ queue) => trace.queues[queue].waited;
    /** @type {(members: number[], of: (queue: number) => number) => number} */
    const sum = (members, of) => members.reduce((total, queue) => total + of(queue), 0);
    const ordered = [...groups.values()].map((members) => ({ members, waited: sum(members, waited),
      items: sum(members, (queue) => this.subtotal(queue)) })).sort((a, b) => b.waited - a.waited || b.items - a.items);
    return ordered.flatMap(({ members }) => {
      if (members.length < GROUP_SIZE) return members.flatMap((queue) => this.leaf(queue, indent));
      const key = `group${members[0]}`, title = commonLabel(members.map((queue) => trace.labels.queue(queue)));
      const group = list.once(key, () => new OverlapTrack(trace, title, members, key, indent));
      group.isContainer = group.startsFolded = true;
      if (list.isFolded(group)) return [group];
      const worstFirst = members.sort((a, b) => waited(b) - waited(a));
      return [group, ...worstFirst.flatMap((queue) => this.leaf(queue, indent + 1))];
    });
  }

  /** @returns {Track[]} */
  leaf(/** @type {number} */ queue, /** @type {number} */ indent) {
    const track = this.list.once('queue' + queue, () => new QueueTrack(this.trace, queue, indent));
    track.isContainer = this.children[queue].some((child) => this.subtotal(child) > 0);
    // Limited to a depth of 32, because the targets of a damaged trace can form a cycle.
    const isOpen = track.isContainer && !this.list.isFolded(track) && indent < 32;
    return [track, ...isOpen ? this.branch(this.children[queue], indent + 1) : []];
  }
}

const isActor = (/** @type {string} */ kind) => kind === 'actor';
const isLoop = (/** @type {string} */ kind) => kind === 'event_loop';
const isDispatch = (/** @type {string} */ kind) => !isActor(kind) && !isLoop(kind);
/** @type {(list: TrackList, side: Side, isWanted: (kind: string) => boolean) => Track[]} */
const treeRows = (list, side, isWanted) =>
  list.once('queue tree', () => new QueueTree(list)).rows(side, isWanted);

addTrackKind({
  section: { key: 'queues', title: 'Queues', isAlwaysThere: true, note: (list, side) =>
    `${plural(side.facts.busy.queues, 'busy queue')} by target` },
  place: 20,
  tracks: (list, side) => treeRows(list, side, isDispatch),
  legend: [['backlog', 'amber: items wait in a queue; in a group of queues: queues that overlap'],
    ['pending', 'vermilion line over a queue: items that had not begun at the end']],
});

addTrackKind({
  section: { key: 'actors', title: 'Actors', note: () => 'the tasks that run on them; amber: waiting tasks' },
  place: 22,
  tracks: (list, side) => treeRows(list, side, isActor),
});

addTrackKind({
  section: { key: 'loops', title: 'Event loops', note: () => 'iterations; between them the thread polls' },
  place: 24,
  tracks: (list, side) => treeRows(list, side, isLoop),
});
