// Drawing operations that all tracks share. A track with fewer intervals in view than pixels draws each interval. With
// more intervals, it draws the exact average depth of each pixel (see depth.js). In both cases the cost of a frame
// depends on the size of the screen, not on the size of the trace.

export const FONT = '11px system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
export const BOLD = '600 11.5px system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
/** The height of the frame around an interval that an arrow leads to. */
export const FRAME_HEIGHT = 16;

export class Painter {
  /** @param ctx the drawing context; by default the context of the canvas */
  constructor(/** @type {HTMLCanvasElement} */ canvas, /** @type {Palette} */ palette, /** @type {Viewport} */ view,
    /** @type {Context} */ ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }))) {
    this.canvas = canvas;
    this.ctx = ctx;
    this.palette = palette;
    this.view = view;
    /** @type {WeakMap<Series, TimeRange & { values: Float64Array }>} */
    this.samples = new WeakMap();
    /** @type {Map<string, number>} */
    this.widths = new Map();
    /** @type {((row: number) => boolean) | null} selects the items found by a search or filter; null without one */
    this.isMatch = null;
    this.selected = -1;
    this.width = this.height = this.pixelScale = 0;
  }

  get colours() { return this.palette.colours; }

  /** Does the canvas have the resolution of the screen? The resolution changes when the page is zoomed. */
  get isSharp() { return this.pixelScale === (window.devicePixelRatio || 1); }

  resize(/** @type {number} */ width, /** @type {number} */ height) {
    const scale = window.devicePixelRatio || 1;
    this.pixelScale = scale;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.canvas.style.width = width + 'px';
      this.canvas.style.height = height + 'px';
    }
    this.ctx.setTransform(scale, 0, 0, scale, 0, 0);
    this.width = width;
    this.height = height;
  }

  hatch(/** @type {string} */ colour) { return this.palette.hatch(this.ctx, colour, this.pixelScale || 1); }

  /** @type {(x: number, y: number, width: number, height: number, fill: Fill) => void} */
  rect(x, y, width, height, fill) {
    this.ctx.fillStyle = fill;
    this.ctx.fillRect(x, y, width, height);
  }

  /** Calls `draw` with the drawing clipped to a rectangle. */
  clipped(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height,
    /** @type {() => void} */ draw) {
    const { ctx } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    draw();
    ctx.restore();
  }

  /** Calls `draw` with an opacity. */
  faded(/** @type {number} */ opacity, /** @type {() => void} */ draw) {
    this.ctx.globalAlpha = opacity;
    draw();
    this.ctx.globalAlpha = 1;
  }

  /** Draws a dashed line across the whole view. */
  dashedLine(/** @type {number} */ y, /** @type {string} */ colour) {
    const { ctx, view } = this, middle = Math.round(y) + 0.5;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(view.left, middle);
    ctx.lineTo(view.right, middle);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** Draws a key at the left of a track: pairs of a word and its colour. */
  key(/** @type {[string, Fill][]} */ entries, /** @type {number} */ y) {
    entries.forEach(([text, fill], number) => {
      this.rect(12 + number * 62, y, 12, 8, fill);
      this.text(text, 28 + number * 62, y + 4, this.colours.faint);
    });
  }

  textWidth(/** @type {string} */ text, font = FONT) {
    const key = font + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.ctx.font = font;
      this.widths.set(key, width = this.ctx.measureText(text).width);
    }
    return width;
  }

  /** The text, shortened in its middle because labels differ at their ends. */
  fit(/** @type {string} */ text, /** @type {number} */ width, font = FONT) {
    if (this.textWidth(text, font) <= width) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const keep = low + high + 1 >> 1;
      const head = Math.floor(keep * 0.4);
      const shortened = text.slice(0, head) + '…' + text.slice(text.length - keep + head);
      if (this.textWidth(shortened, font) <= width) low = keep;
      else high = keep - 1;
    }
    if (low < 3) return '';
    const head = Math.floor(low * 0.4);
    return text.slice(0, head) + '…' + text.slice(text.length - low + head);
  }

  /**
   * The longest form of a bar's label that fits: the whole label, the part before the first " · ", the last parts of a
   * queue's label, or the label with its middle cut out. Empty when less than 60 pixels are available.
   */
  brief(/** @type {string} */ label, /** @type {number} */ width) {
    const [first] = label.split(' · '), isPlace = /:\d+$/.test(first);
    const names = isPlace ? [] : first.split('.'), parts = [label, first];
    if (names.length > 2) parts.push(names.slice(-2).join('.'));
    if (names.length > 1) parts.push('…' + names[names.length - 1]);
    const fitting = parts.find((part) => this.textWidth(part) <= width);
    return fitting !== undefined ? fitting : width > 60 ? label : '';
  }

  /** Breaks the text at spaces into at most `most` lines. The last line is shortened. */
  lines(/** @type {string} */ text, /** @type {number} */ width, /** @type {string} */ font,
    /** @type {number} */ most) {
    const lines = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line ? `${line} ${word}` : word;
      if (line && lines.length < most - 1 && this.textWidth(longer, font) > width) { lines.push(line); line = word; }
      else line = longer;
    }
    return [...lines, this.fit(line, width, font)];
  }

  text(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y,
    /** @type {Fill} */ colour, { width = Infinity, font = FONT,
    align = /** @type {CanvasTextAlign} */ ('left') } = {}) {
    const fitted = width === Infinity ? text : this.fit(text, width, font);
    if (!fitted) return;
    this.ctx.font = font;
    this.ctx.fillStyle = colour;
    this.ctx.textAlign = align;
    this.ctx.textBaseline = 'middle';
    this.ctx.fillText(fitted, x, y);
  }

  /** Does the view have few enough intervals to draw each of them? */
  isDetailed(/** @type {Intervals} */ intervals, limit = 1) {
    return intervals.count(this.view.from, this.view.to) <= this.view.width * limit;
  }

  /** Draws one bar per interval. */
  bars(/** @type {Intervals} */ intervals,
    /** @type {BarOptions} */ { y, height, laneHeight = 0, fill, label = null, row = null, only = -1 }) {
    const { view } = this;
    const [first, last] = intervals.range(view.from, view.to);
    const lanes = intervals.lanes ? intervals.lanes.lane : null;
    // One path per colour: a canvas draws a thousand rectangles of one path in the time of twenty separate rectangles.
    /** @type {Map<Fill, number[]>} */
    const paths = new Map();
    const covered = [], above = [];
    for (let i = first; i < last; i++) {
      const lane = lanes ? lanes[i] : 0;
      if (only >= 0 && lane !== only) continue;
      let left = Math.max(view.left - 2, view.x(intervals.begins[i]));
      const right = Math.min(view.right + 2, Math.max(view.x(intervals.ends[i]), left + 1));
      if (right <= (covered[lane] || 0) || right < view.left) continue;
      covered[lane] = right;
      const top = y + lane * laneHeight, width = right - left;
      const isDim = this.isMatch && row && !this.isMatch(row(i));
      const colour = isDim ? this.colours.dim : fill(i);
      const path = paths.get(colour) || [];
      paths.set(colour, path);
      // A gap of 0.6 pixels separates neighbours.
      path.push(left, top, width > 3 ? width - 0.6 : width);
      const text = label && width > 34 ? label(i) : '';
      if (text) above.push(() => this.text(this.brief(text, width - 9), left + 5, top + height / 2 + 0.5,
        isDim ? this.colours.faint : this.palette.ink(colour), { width: width - 9 }));
      if (row && this.selected >= 0 && row(i) === this.selected) {
        above.push(() => this.outline(left, top, width, height));
      }
    }
    for (const [colour, places] of paths) this.rects(places, height, colour);
    for (const draw of above) draw();
  }

  /**
   * Draws each interval as a bar or, with too many in view, their depth as an area; see `isDetailed`. Without a fill,
   * the area has the fill of the first bar.
   */
  barsOrArea(/** @type {Intervals} */ intervals, /** @type {BarOptions} */ bars,
    /** @type {Omit<AreaOptions, 'fill'> & { fill?: Fill }} */ area, limit = 1) {
    if (this.isDetailed(intervals, limit)) this.bars(intervals, bars);
    else this.area(intervals, { fill: area.fill ?? bars.fill(0), ...area });
  }

  /** Draws rectangles of one height and colour: left, top and width of each. */
  rects(/** @type {number[]} */ places, /** @type {number} */ height, /** @type {Fill} */ fill) {
    const { ctx } = this;
    if (fill === 'transparent') return;
    ctx.fillStyle = fill;
    ctx.beginPath();
    for (let i = 0; i < places.length; i += 3) ctx.rect(places[i], places[i + 1], places[i + 2], height);
    ctx.fill();
  }

  /** @type {(x: number, y: number, width: number, height: number, colour: string, line: number) => void} */
  frame(x, y, width, height, colour, line) {
    this.ctx.strokeStyle = colour;
    this.ctx.lineWidth = line;
    this.ctx.strokeRect(x, y, width, height);
  }

  /** Frames a selected bar. */
  outline(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
    this.frame(x - 1, y - 1, Math.max(width, 2) + 2, height + 2, this.colours.strong, 2);
  }

  /** Frames an interval that an arrow leads to, at the vertical position of the arrow. */
  frameTime(/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ y,
    /** @type {string} */ colour) {
    const left = this.view.x(from), right = this.view.x(to);
    this.frame(left, y - FRAME_HEIGHT / 2, Math.max(2, right - left), FRAME_HEIGHT, colour, 1.4);
  }

  /** Draws the depth of intervals, or a series, as an area above `base`. The height `height` represents `full`. */
  area(/** @type {Series} */ series, /** @type {AreaOptions} */ { base, height, full, fill, least = 1 }) {
    const { view, ctx } = this;
    const count = Math.round(view.width), samples = this.sampled(series, count);
    // Clip to the trace: left-out items are counted by interval, and the last interval can end after the trace.
    const first = Math.max(0, Math.floor(view.x(view.begin) - view.left));
    const last = Math.min(count, Math.ceil(view.x(view.end) - view.left));
    ctx.fillStyle = fill;
    ctx.beginPath();
    for (let i = first; i < last; i++) {
      if (samples[i] <= 1e-9) continue;
      const top = Math.max(least, Math.min(1, samples[i] / full) * height);
      let end = i + 1;
      // Merge equal neighbours into one rectangle.
      while (end < last && Math.abs(samples[end] - samples[i]) < 0.02 * full && samples[end] > 1e-9) end++;
      ctx.rect(view.left + i, base - top, end - i, top);
      i = end - 1;
    }
    ctx.fill();
  }

  /** The average depth of each pixel, cached while the time range and the width stay the same. */
  sampled(/** @type {Series} */ series, /** @type {number} */ count) {
    const { from, to } = this.view, known = this.samples.get(series);
    if (known && known.from === from && known.to === to && known.values.length === count) return known.values;
    const values = known && known.values.length === count ? known.values : new Float64Array(count);
    this.samples.set(series, { from, to, values: series.sample(from, to, count, values) });
    return values;
  }

  /** @type {(x: number, y: number, size: number, fill: Fill) => void} */
  diamond(x, y, size, fill) {
    const { ctx } = this;
    ctx.beginPath();
    ctx.moveTo(x, y - size);
    ctx.lineTo(x + size, y);
    ctx.lineTo(x, y + size);
    ctx.lineTo(x - size, y);
    ctx.closePath();
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.strokeStyle = this.colours.paper;
    ctx.lineWidth = 1;
    ctx.stroke();
  }

  arrow(/** @type {number} */ x1, /** @type {number} */ y1, /** @type {number} */ x2, /** @type {number} */ y2,
    /** @type {string} */ colour, width = 1.4, halo = false) {
    const { ctx } = this, angle = Math.atan2(y2 - y1, x2 - x1);
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    if (halo) {
      // Separates the arrow from a bar of the same colour.
      ctx.strokeStyle = this.colours.paper;
      ctx.lineWidth = width + 2.4;
      ctx.stroke();
    }
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x2, y2);
    ctx.lineTo(x2 - 6 * Math.cos(angle - 0.45), y2 - 6 * Math.sin(angle - 0.45));
    ctx.lineTo(x2 - 6 * Math.cos(angle + 0.45), y2 - 6 * Math.sin(angle + 0.45));
    ctx.closePath();
    ctx.fill();
  }

  /** Draws the marks of a track: mistakes as diamonds, other changes of an object as ticks. */
  marks(/** @type {Mark[]} */ marks, /** @type {number} */ y, /** @type {number} */ height, hasLines = true) {
    for (const mark of marks) {
      if (mark.time < this.view.from || (mark.activated >= 0 ? mark.activated : mark.time) > this.view.to) continue;
      const x = this.view.x(mark.time);
      if (mark.kind < 2) {
        // A line from the activation to the change, which came too late.
        if (hasLines && mark.activated >= 0) {
          const from = Math.max(this.view.left - 4, this.view.x(mark.activated));
          const length = Math.max(0, Math.min(x, this.view.right) - from);
          this.rect(from, y + height / 2 - 0.5, length, 1, this.colours.mark);
          this.rect(from - 1, y + 1, 2, height - 2, this.colours.mark);
        }
        this.diamond(x, y + height / 2, 5.5, this.colours.mark);
      }
      else this.rect(x - 0.5, y, 1, height, this.colours.faint);
    }
  }
}

/** Draws, behind the bars of single items, the depth of the items that were left out. */
export function drawLeftOut(/** @type {Painter} */ painter, /** @type {Intervals} */ intervals,
  /** @type {Omit<AreaOptions, 'fill'>} */ area) {
  if (intervals.leftOut) painter.area(intervals.leftOut, { ...area, fill: painter.colours.dim, least: 2 });
}
