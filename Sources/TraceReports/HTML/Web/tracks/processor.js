// A processor: which of the program's threads had it. Where it is empty it was idle, or ran something else.

import { intervalAt } from '../picture/painter.js';
import { RUN_HEIGHT } from './queue.js';
import { formatPercent } from '../units.js';

export class ProcessorTrack {
  constructor(trace, side, number, slices) {
    this.trace = trace;
    this.number = number;
    this.slices = slices;
    this.key = 'processor' + side.name + number;
    this.title = `Processor ${number}`;
    let busy = 0;
    // Stretches close together were joined, so they can overlap.
    for (let i = 0; i < slices.length; i++) {
      busy += Math.max(0, slices.ends[i] - Math.max(slices.begins[i], i ? slices.reach[i - 1] : 0));
    }
    this.subtitle = `${formatPercent(busy / side.duration)} with this program`;
    this.load = 0;
    this.indent = 0;
    this.height = 30;
  }

  static all(trace, side) {
    return [...trace.processors.byProcessor(side)].sort((a, b) => a[0] - b[0])
      .map(([number, slices]) => new ProcessorTrack(trace, side, number, slices));
  }

  draw(p, y) {
    const { slices, trace } = this, top = y + 7, height = RUN_HEIGHT;
    if (!p.isDetailed(slices)) {
      p.area(slices, { base: top + height, height, full: 1, fill: p.colours.run });
      return;
    }
    p.bars(slices, { y: top, height, fill: (i) => p.palette.thread(slices.threads[i]),
      label: (i) => trace.threadLabel(slices.threads[i]) });
  }

  hit(x, dy, view) {
    const at = intervalAt(this.slices, view, x);
    return at < 0 ? null : { kind: 'slice', thread: this.slices.threads[at], processor: this.number,
      from: this.slices.begins[at], to: this.slices.ends[at], ending: this.slices.endings[at] };
  }
}
