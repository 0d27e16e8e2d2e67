// The visible time range and its width in pixels. Changes are animated unless the reader prefers reduced motion.

/** The width of the labels left of the rows and the height of the ruler, in pixels. */
export const LABEL_WIDTH = 252, RULER_HEIGHT = 28;
export const SHORTEST_VIEW = 50;

export class Viewport {
  /** Shows the whole trace from `begin` to `end`, with a margin. */
  constructor(/** @type {number} */ begin, /** @type {number} */ end, /** @type {() => void} */ changed) {
    this.begin = begin;
    this.end = end;
    this.changed = changed;
    this.margin = (end - begin) * 0.02;
    this.from = this.least;
    this.to = this.most;
    this.left = 0;
    this.width = 1000;
    /** @type {FrameRequestCallback | null} */
    this.animation = null;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  get least() { return this.begin - this.margin; }
  get most() { return this.end + this.margin; }
  get span() { return this.to - this.from; }
  get right() { return this.left + this.width; }
  get middle() { return this.left + this.width / 2; }
  /** Nanoseconds per pixel. */
  get scale() { return this.span / this.width; }
  x(/** @type {number} */ time) { return this.left + (time - this.from) / this.span * this.width; }
  /** The part of an interval in the view, as pixels: left and right. They cross for an interval outside of the view. */
  clipped(/** @type {number} */ from, /** @type {number} */ to) {
    return [Math.max(this.left, this.x(from)), Math.min(this.right, this.x(to))];
  }
  time(/** @type {number} */ x) { return this.from + (x - this.left) / this.width * this.span; }

  clamp(/** @type {number} */ from, /** @type {number} */ to) {
    const { least, most } = this;
    let span = Math.min(Math.max(to - from, SHORTEST_VIEW), most - least);
    const middle = (from + to) / 2;
    from = Math.min(Math.max(to - from === span ? from : middle - span / 2, least), most - span);
    return [from, from + span];
  }

  set(/** @type {number} */ from, /** @type {number} */ to) {
    this.animation = null;
    [this.from, this.to] = this.clamp(from, to);
    this.changed();
  }

  glide(/** @type {number} */ from, /** @type {number} */ to) {
    [from, to] = this.clamp(from, to);
    if (this.calm.matches) { this.set(from, to); return; }
    const start = { from: this.from, span: this.span, time: performance.now() };
    const end = { from, span: to - from };
    /** @type {FrameRequestCallback} */
    const animation = (now) => {
      if (this.animation !== animation) return;
      const t = Math.min(1, (now - start.time) / 260), ease = 1 - Math.pow(1 - t, 3);
      // The span changes geometrically, so that a zoom by 1000 looks as even as a zoom by 2.
      const span = start.span * Math.pow(end.span / start.span, ease);
      const share = start.span === end.span ? ease : (start.span - span) / (start.span - end.span);
      this.from = start.from + (end.from - start.from) * share;
      this.to = this.from + span;
      if (t < 1) requestAnimationFrame(animation); else { this.from = from; this.to = to; this.animation = null; }
      this.changed();
    };
    this.animation = animation;
    requestAnimationFrame(animation);
  }

  zoom(/** @type {number} */ factor, /** @type {number} */ x) {
    const time = this.time(x), share = (x - this.left) / this.width;
    const span = Math.max(SHORTEST_VIEW, this.span * factor);
    this.set(time - span * share, time + span * (1 - share));
  }

  pan(/** @type {number} */ pixels) {
    const shift = pixels * this.scale;
    this.set(this.from + shift, this.to + shift);
  }

  /**
   * Moves to an interval whose begin is outside of the view, or which is narrower than 3 pixels. The view then has at
   * least `least` nanoseconds.
   */
  visit(/** @type {number} */ from, /** @type {number} */ to, least = 0) {
    if (from >= this.from && from <= this.to && (to - from) / this.scale >= 3) return;
    const span = Math.min(this.span, Math.max((to - from) * 12, 2000, least));
    this.glide(from - span * 0.6, from + span * 0.6);
  }

  whole() { this.glide(this.least, this.most); }

  frame(/** @type {number} */ from, /** @type {number} */ to, padding = 0.08) {
    const span = Math.max(to - from, 200);
    this.glide(from - span * padding, to + span * padding);
  }
}
