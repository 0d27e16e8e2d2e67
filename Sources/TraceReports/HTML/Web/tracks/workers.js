// libdispatch's workers over time: pale all that exist, blue-grey those that run items, hatched those of them that are
// blocked. The dashed line is the number of processors: what is above it competes for them, what is hatched above
// nothing is a pool that stands still.

import { formatCount, plural } from '../units.js';

export class WorkersTrack {
  constructor(trace, prefix = '', side = trace.sides[0]) {
    this.trace = trace;
    this.key = prefix + 'workers' + side.name;
    this.title = 'Workers';
    this.workers = trace.processors.workers(side);
    this.peak = Math.max(1, this.workers.count, this.workers.alive.peak(), this.workers.running.peak());
    this.subtitle = `up to ${formatCount(this.workers.alive.peak())}`
      + (this.workers.count ? ` for ${plural(this.workers.count, 'processor')}` : '');
    this.load = 0;
    this.indent = 0;
    this.height = 62;
  }

  get isEmpty() { return this.workers.alive.peak() < 1; }

  draw(p, y) {
    const { view, ctx } = p, { workers, peak } = this, base = y + this.height - 5, height = this.height - 12;
    const layer = (series, fill) => p.area({ depth: series }, { base, height, full: peak, fill, least: 0 });
    layer(workers.alive, p.colours.dim);
    layer(workers.running, p.colours.run);
    layer(workers.blocked, p.colours.paper);
    layer(workers.blocked, p.hatch(p.colours.blocked));
    if (!workers.count) return;
    const line = Math.round(base - workers.count / peak * height) + 0.5;
    ctx.strokeStyle = p.colours.strong;
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(view.left, line);
    ctx.lineTo(view.left + view.width, line);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** The scale, and what the shades mean. */
  drawMargin(p, y) {
    const base = y + this.height - 5, height = this.height - 12, right = p.view.left - 8;
    p.text(formatCount(this.peak), right, base - height + 4, p.colours.faint, { align: 'right' });
    if (this.workers.count && this.workers.count / this.peak < 0.8) {
      p.text(formatCount(this.workers.count), right, base - this.workers.count / this.peak * height, p.colours.faint,
        { align: 'right' });
    }
    const keys = [['exist', p.colours.dim], ['run', p.colours.run], ['blocked', p.hatch(p.colours.blocked)]];
    keys.forEach(([text, fill], number) => {
      p.rect(12 + number * 62, y + 42, 12, 8, fill);
      p.text(text, 28 + number * 62, y + 46, p.colours.faint);
    });
  }

  hit(x, dy, view) { return { kind: 'workers', time: view.time(x), workers: this.workers }; }
}
