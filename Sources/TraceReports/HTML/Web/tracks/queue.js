// A queue: above what waits in it, below what runs, side by side where items overlap.
//
//   waits   ▁▂▃▃▂▁      depth of the backlog; thin lines from enqueue to begin when zoomed in
//   runs    ███ ██ █    one lane on a serial queue, one more for each reader beside another

import { intervalAt, markAt } from '../picture/painter.js';
import { BARRIER } from '../trace/decoder.js';
import { drawLeftOut, leftOutHit } from '../trace/left_out.js';
import { KIND_TITLES } from '../trace/trace.js';
import { plural } from '../units.js';

// Among the pinned rows of a finding there is room for labels on sub-lanes, too.
export const WAIT_HEIGHT = 10, RUN_HEIGHT = 14, SUB_LANE = 9, PINNED_RUN_HEIGHT = 20, PINNED_SUB_LANE = 16;

export class QueueTrack {
  constructor(trace, queue, indent = 0) {
    this.trace = trace;
    this.queue = queue;
    this.indent = indent;
    this.key = 'queue' + queue;
    const entry = trace.queues[queue];
    this.title = trace.queueLabel(queue);
    this.subtitle = entry.kind + (entry.qos === 'unspecified' ? '' : ' · ' + entry.qos.replace('_', '-'));
    const group = trace.groupOf.get(queue);
    if (entry.serial === 0 && group && group.end > group.start) {
      // Iterations of concurrentPerform are on none.
      this.subtitle = this.title;
      this.title = KIND_TITLES[trace.kindOf(group.start)] || entry.kind;
    }
    this.load = entry.load;
    this.isContainer = false;
  }

  get runHeight() { return this.isPinned ? PINNED_RUN_HEIGHT : RUN_HEIGHT; }
  get subLane() { return this.isPinned ? PINNED_SUB_LANE : SUB_LANE; }
  get lanes() { return this.trace.running(this.queue).lanes.count; }
  get height() { return this.isEmpty ? 22 : 7 + WAIT_HEIGHT + this.runsHeight; }
  get runsHeight() { return this.lanes > 1 ? this.lanes * this.subLane : this.runHeight; }
  get isEmpty() {
    const { trace, queue } = this;
    return !trace.groupOf.has(queue) && !trace.marksOfQueue(queue).length && !trace.pendingOfQueue(queue).length;
  }

  draw(p, y) {
    if (this.isEmpty) return;
    const { trace, queue } = this, { items } = trace;
    const running = trace.running(queue), waiting = trace.waiting(queue);
    const runTop = y + 3 + WAIT_HEIGHT, { lanes, runHeight, subLane } = this, isThin = lanes > 1 && subLane < RUN_HEIGHT;
    if (p.isDetailed(waiting, 0.25)) {
      drawLeftOut(p, waiting, { base: runTop - 1, height: WAIT_HEIGHT - 2, full: Math.max(1, waiting.depth.peak()) });
      p.bars(waiting, { y: y + 3, height: 2, laneHeight: 3, fill: () => p.colours.wait, row: (i) => waiting.row(i) });
    } else {
      p.area(waiting, { base: runTop - 1, height: WAIT_HEIGHT - 2, full: Math.max(1, waiting.depth.peak()),
        fill: p.colours.wait });
    }
    if (p.isDetailed(running)) {
      drawLeftOut(p, running, { base: runTop + this.runsHeight, height: this.runsHeight, full: lanes });
      p.bars(running, {
        y: runTop, height: lanes > 1 ? subLane - 1 : runHeight, laneHeight: subLane,
        fill: (i) => p.palette.thread(items.thread[running.row(i)]),
        label: isThin ? null : (i) => trace.barLabel(running.row(i)),
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

  /** What was enqueued and never began: a line above those that wait, and how many where nothing runs. */
  drawPending(p, y, middle, running) {
    const waits = this.trace.pendingWaits(this.queue), { view } = p;
    if (!waits.length) return;
    const [first, last] = waits.range(view.from, view.to);
    if (p.isDetailed(waits)) p.bars(waits, { y, height: 2.5, fill: () => p.colours.blocked });
    else p.area(waits, { base: y + 2.5, height: 2.5, full: 1, fill: p.colours.blocked });
    if (last === first) return;
    const text = `${plural(last - first, 'item')} never began`;
    const left = Math.max(view.left, view.x(waits.begins[first])) + 8, right = left + p.textWidth(text);
    const [from, to] = running.range(view.time(left - 8), view.time(right));
    if (to === from && right < view.left + view.width) p.text(text, left, middle, p.colours.text);
  }

  /** A barrier holds the whole queue: it is drawn over all lanes, with bold ends. */
  drawBarriers(p, running, top) {
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

  /** Where arrows leave or enter the row. */
  anchor(y) { return y + (this.isEmpty ? 11 : 3 + WAIT_HEIGHT + this.runHeight / 2); }

  hit(x, dy, view) {
    if (this.isEmpty) return null;
    const mark = dy > WAIT_HEIGHT && markAt(this.trace.marksOfQueue(this.queue), view, x);
    if (mark) return mark;
    const inWaits = dy < 3 + WAIT_HEIGHT, above = dy < 4 ? intervalAt(this.trace.pendingWaits(this.queue), view, x) : -1;
    if (above >= 0) return { kind: 'pending', item: this.trace.pendingOfQueue(this.queue)[above] };
    const intervals = inWaits ? this.trace.waiting(this.queue) : this.trace.running(this.queue);
    const lane = !inWaits && this.lanes > 1 ? Math.floor((dy - 3 - WAIT_HEIGHT) / this.subLane) : -1;
    let at = intervalAt(intervals, view, x, lane);
    if (at < 0 && lane >= 0) at = intervalAt(intervals, view, x);
    if (at >= 0) return { kind: 'item', row: intervals.row(at), waiting: inWaits };
    const pending = intervalAt(this.trace.pendingWaits(this.queue), view, x);
    if (pending >= 0) return { kind: 'pending', item: this.trace.pendingOfQueue(this.queue)[pending] };
    return leftOutHit(intervals, this.trace.leftOut.queues.series.get(this.queue), view, x);
  }
}
