// A queue: above what waits in it, below what runs, side by side where items overlap.
//
//   waits   ▁▂▃▃▂▁      depth of the backlog; thin lines from enqueue to begin when zoomed in
//   runs    ███ ██ █    one lane on a serial queue, one more for each reader beside another

const WAIT_HEIGHT = 10, RUN_HEIGHT = 14, SUB_LANE = 9;

class QueueTrack {
  constructor(trace, queue, indent = 0) {
    this.trace = trace;
    this.queue = queue;
    this.indent = indent;
    this.key = 'queue' + queue;
    const entry = trace.queues[queue];
    this.title = trace.queueLabel(queue);
    this.subtitle = entry.kind + (entry.qos === 'unspecified' ? '' : ' · ' + entry.qos.replace('_', '-'));
    this.load = entry.load;
    this.isContainer = false;
  }

  get lanes() { return this.trace.running(this.queue).lanes.count; }
  get height() { return this.isEmpty ? 22 : 7 + WAIT_HEIGHT + (this.lanes > 1 ? this.lanes * SUB_LANE : RUN_HEIGHT); }
  get isEmpty() { return !this.trace.groupOf.has(this.queue) && this.trace.marksOfQueue(this.queue).length === 0; }

  draw(p, y) {
    if (this.isEmpty) return;
    const { trace, queue } = this, { items } = trace;
    const running = trace.running(queue), waiting = trace.waiting(queue);
    const runTop = y + 3 + WAIT_HEIGHT, lanes = this.lanes;
    if (p.isDetailed(waiting, 0.25)) {
      p.bars(waiting, { y: y + 3, height: 2, laneHeight: 3, fill: () => p.colours.wait, row: (i) => waiting.row(i) });
    } else {
      p.area(waiting, { base: runTop - 1, height: WAIT_HEIGHT - 2, full: Math.max(1, waiting.depth.peak()),
        fill: p.colours.wait });
    }
    if (p.isDetailed(running)) {
      p.bars(running, {
        y: runTop, height: lanes > 1 ? SUB_LANE - 1 : RUN_HEIGHT, laneHeight: SUB_LANE,
        fill: (i) => p.palette.thread(items.thread[running.row(i)]),
        label: lanes > 1 ? null : (i) => trace.barLabel(running.row(i)),
        row: (i) => running.row(i),
      });
      if (lanes > 1) this.drawBarriers(p, running, runTop, lanes);
    } else {
      p.area(running, { base: runTop + (lanes > 1 ? lanes * SUB_LANE : RUN_HEIGHT), fill: p.colours.run,
        height: lanes > 1 ? lanes * SUB_LANE : RUN_HEIGHT, full: lanes });
    }
    p.marks(trace.marksOfQueue(queue), runTop, RUN_HEIGHT);
  }

  /** A barrier holds the whole queue: it is drawn over all lanes. */
  drawBarriers(p, running, top, lanes) {
    const [first, last] = running.range(p.view.from, p.view.to);
    for (let i = first; i < last; i++) {
      const row = running.row(i);
      if (!(this.trace.shapeOf(row).flags & BARRIER)) continue;
      const left = Math.max(p.view.left, p.view.x(running.begins[i])),
        right = Math.max(left + 1, p.view.x(running.ends[i]));
      const colour = p.isMatch && !p.isMatch(row) ? p.colours.dim : p.palette.thread(this.trace.items.thread[row]);
      p.rect(left, top, right - left, lanes * SUB_LANE - 1, colour);
      if (right - left > 50) p.text('barrier', left + 5, top + lanes * SUB_LANE / 2, p.palette.ink(colour),
        { width: right - left - 8 });
    }
  }

  /** Where arrows leave or enter the row. */
  anchor(y) { return y + (this.isEmpty ? 11 : 3 + WAIT_HEIGHT + RUN_HEIGHT / 2); }

  hit(x, dy, view) {
    if (this.isEmpty) return null;
    const mark = dy > WAIT_HEIGHT && markAt(this.trace.marksOfQueue(this.queue), view, x);
    if (mark) return mark;
    const inWaits = dy < 3 + WAIT_HEIGHT;
    const intervals = inWaits ? this.trace.waiting(this.queue) : this.trace.running(this.queue);
    const lane = !inWaits && this.lanes > 1 ? Math.floor((dy - 3 - WAIT_HEIGHT) / SUB_LANE) : -1;
    let at = intervalAt(intervals, view, x, lane);
    if (at < 0 && lane >= 0) at = intervalAt(intervals, view, x);
    return at < 0 ? null : { kind: 'item', row: intervals.row(at), waiting: inWaits };
  }
}
