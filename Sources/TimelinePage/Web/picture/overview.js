// The strip at the top: the whole trace in one line, with a window that the pointer moves and resizes.

import { BOLD, Painter } from './painter.js';
import { SHORTEST_VIEW } from './viewport.js';
import { formatDuration } from '../units.js';

const OVERVIEW_HEIGHT = 58;

export class Overview {
  constructor(/** @type {HTMLCanvasElement} */ canvas, /** @type {Trace} */ trace, /** @type {Palette} */ palette,
    /** @type {Viewport} */ view, /** @type {ViewState} */ state) {
    this.trace = trace;
    this.view = view;
    this.state = state;
    this.whole = { from: view.least, to: view.most };
    this.painter = new Painter(canvas, palette, view);
    this.canvas = canvas;
    this.left = this.sampledWidth = 0;
    this.width = 1;
    /** @type {{ side: Side, running: Float64Array, waiting: Float64Array }[]} the depth of each trace by pixel */
    this.curves = [];
    /** @type {TimeRange & { part: 'from' | 'to' | 'window', time: number } | null} */
    this.drag = null;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', () => { this.drag = null; });
    canvas.addEventListener('pointercancel', () => { this.drag = null; });
  }

  x(/** @type {number} */ time) {
    return this.left + (time - this.whole.from) / (this.whole.to - this.whole.from) * this.width;
  }
  time(/** @type {number} */ x) {
    return this.whole.from + (x - this.left) / this.width * (this.whole.to - this.whole.from);
  }

  sample(/** @type {number} */ width) {
    if (this.sampledWidth === width) return;
    this.sampledWidth = width;
    const { from, to } = this.whole;
    this.curves = this.trace.sides.map((side) => ({ side, ...this.trace.sampleDepth(side, from, to, width) }));
  }

  resize(/** @type {number} */ width, /** @type {number} */ left) {
    this.left = left;
    this.width = Math.max(10, width - left - 12);
    this.painter.resize(width, OVERVIEW_HEIGHT);
    this.sample(Math.round(this.width));
    this.draw();
  }

  draw() {
    const p = this.painter, c = p.colours;
    p.rect(0, 0, p.width, p.height, c.band);
    const { begin, end } = this.trace;
    p.text(begin > 0 ? 'Part of the trace' : 'Whole trace', 12, 16, c.strong, { font: BOLD });
    p.text(formatDuration(end - begin) + (begin > 0 ? ` from ${formatDuration(begin)} on` : ''), 12, 32, c.faint);
    const height = (OVERVIEW_HEIGHT - 17) / this.curves.length;
    // Two traces share one scale.
    const most = (/** @type {'running' | 'waiting'} */ kind) =>
      Math.max(...this.curves.map((curves) => curves[kind].reduce((a, b) => Math.max(a, b), 0))) || 1;
    this.curves.forEach(({ side, running, waiting }, number) => {
      const base = OVERVIEW_HEIGHT - 5 - (this.curves.length - 1 - number) * height;
      this.curve(waiting, most('waiting'), base, height - (number && 3), c.waitSoft);
      this.curve(running, most('running'), base, height - (number && 3), c.run);
      if (side.name) p.text(side.name, this.left - 8, base - height / 2, c.text, { align: 'right' });
    });
    // The finding of a part of a trace can begin before that part.
    p.clipped(this.left, 0, this.width, p.height, () => this.drawMarks());
    const from = this.x(this.view.from), to = Math.max(this.x(this.view.to), from + 2);
    p.faded(0.62, () => {
      p.rect(this.left, 0, Math.max(0, from - this.left), p.height, c.band);
      p.rect(to, 0, Math.max(0, this.left + this.width - to), p.height, c.band);
    });
    p.frame(from, 1, to - from, p.height - 2, c.focus, 1.5);
    // The handles stay wide enough to grab when the window is narrow.
    for (const x of [from, to]) p.rect(x - 2, p.height / 2 - 8, 4, 16, c.focus);
  }

  /** Draws the findings, the intervals with left-out items, and the mistakes. */
  drawMarks() {
    const p = this.painter, c = p.colours, chosen = this.state.finding;
    this.trace.findings.forEach((finding) => {
      const isChosen = finding === chosen;
      if (!isChosen && chosen) return;
      const left = this.x(finding.begin), width = Math.max(3, this.x(finding.end) - left);
      p.rect(left, 3, width, 4, isChosen ? c.focus : c.faint);
    });
    // Intervals with left-out items.
    for (const { from, to } of this.trace.leftOut.ranges()) {
      const left = this.x(from), width = this.x(Math.min(to, this.trace.end)) - left;
      p.rect(left, OVERVIEW_HEIGHT - 4, width, 3, p.hatch(c.faint));
    }
    for (const mark of this.trace.marks) if (mark.kind < 2) p.diamond(this.x(mark.time), 10, 3.5, c.mark);
  }

  /** @type {(samples: Float64Array, peak: number, base: number, height: number, fill: string) => void} */
  curve(samples, peak, base, height, fill) {
    const { ctx } = this.painter, { begin, end } = this.trace;
    ctx.fillStyle = fill;
    ctx.beginPath();
    samples.forEach((value, i) => {
      // The square root keeps intervals with little work visible next to bursts.
      const top = Math.max(1, Math.sqrt(value / peak) * height), time = this.time(this.left + i + 0.5);
      if (value > 0 && time >= begin && time <= end) ctx.rect(this.left + i, base - top, 1, top);
    });
    ctx.fill();
  }

  part(/** @type {number} */ x) {
    const from = this.x(this.view.from), to = this.x(this.view.to);
    if (Math.abs(x - from) < 6 && x <= (from + to) / 2) return 'from';
    if (Math.abs(x - to) < 6) return 'to';
    return x > from && x < to ? 'window' : 'outside';
  }

  down(/** @type {PointerEvent} */ event) {
    const x = event.offsetX, part = this.part(x);
    this.canvas.setPointerCapture(event.pointerId);
    if (part === 'outside') {
      const span = this.view.span, time = this.time(x);
      this.view.set(time - span / 2, time + span / 2);
    }
    this.drag = { part: part === 'outside' ? 'window' : part, time: this.time(x), from: this.view.from,
      to: this.view.to };
  }

  move(/** @type {PointerEvent} */ event) {
    if (!this.drag) {
      const cursors = { from: 'ew-resize', to: 'ew-resize', window: 'grab', outside: 'pointer' };
      this.canvas.style.cursor = cursors[this.part(event.offsetX)];
      return;
    }
    const time = this.time(event.offsetX), shift = time - this.drag.time, { part, from, to } = this.drag;
    if (part === 'window') this.view.set(from + shift, to + shift);
    else if (part === 'from') this.view.set(Math.min(time, to - SHORTEST_VIEW), to);
    else this.view.set(from, Math.max(time, from + SHORTEST_VIEW));
  }
}
