// A time range that the reader marks by dragging in the ruler, by dragging with Shift, or with the keys [ and ]. The
// ruler shows its length, so it also measures.

import { BOLD } from './painter.js';
import { formatDuration } from '../units.js';

const SNAP_PIXELS = 5, EDGE_PIXELS = 5;

export class RangeSelection {
  /** @param changed called after each change; `isDone` is false while the pointer still drags */
  constructor(/** @type {Viewport} */ view, /** @type {(isDone: boolean) => void} */ changed) {
    this.view = view;
    this.changed = changed;
    this.from = this.to = 0;
    this.isSet = false;
  }

  get length() { return this.to - this.from; }

  set(/** @type {number} */ one, /** @type {number} */ other, isDone = true) {
    const clamp = (/** @type {number} */ time) => Math.min(Math.max(Math.round(time), this.view.begin), this.view.end);
    this.from = clamp(Math.min(one, other));
    this.to = clamp(Math.max(one, other));
    this.isSet = this.to > this.from;
    this.changed(isDone);
  }

  clear() {
    if (!this.isSet) return;
    this.isSet = false;
    this.changed(true);
  }

  /** Moves one edge. The other edge stays; without a range it is the edge of the view. */
  setBegin(/** @type {number} */ time) { this.set(time, this.isSet && this.to > time ? this.to : this.view.to); }
  setEnd(/** @type {number} */ time) { this.set(this.isSet && this.from < time ? this.from : this.view.from, time); }

  /** The time of the opposite edge when an edge is at this place; null without an edge there. */
  anchorOpposite(/** @type {number} */ x) {
    if (!this.isSet) return null;
    if (Math.abs(this.view.x(this.from) - x) <= EDGE_PIXELS) return this.to;
    return Math.abs(this.view.x(this.to) - x) <= EDGE_PIXELS ? this.from : null;
  }

  /** The nearest edge within a few pixels, otherwise the time of the place. */
  snapped(/** @type {number} */ x, /** @type {number[]} */ edges) {
    let best = this.view.time(x), distance = SNAP_PIXELS;
    for (const edge of edges) {
      const away = Math.abs(this.view.x(edge) - x);
      if (away < distance) { best = edge; distance = away; }
    }
    return best;
  }

  /** Draws the background of the range under the rows. */
  drawGround(/** @type {Painter} */ p, /** @type {number} */ top, /** @type {number} */ height) {
    if (!this.isSet) return;
    const [left, right] = this.extent();
    p.faded(0.13, () => p.rect(left, top, right - left, height, p.colours.focus));
    for (const x of [left, right]) p.rect(Math.round(x), top, 1, height, p.colours.focus);
  }

  /** Draws the bracket in the ruler, with the length. */
  drawRuler(/** @type {Painter} */ p, /** @type {number} */ height) {
    if (!this.isSet) return;
    const [left, right] = this.extent(), c = p.colours;
    if (right <= this.view.left || left >= this.view.left + this.view.width) return;
    p.rect(left, height - 5, right - left, 4, c.focus);
    for (const x of [left, right]) p.rect(x - 2, height - 11, 4, 10, c.focus);
    const text = formatDuration(this.length), width = p.textWidth(text, BOLD) + 12;
    const middle = Math.min(Math.max((left + right) / 2, this.view.left + width / 2), p.width - width / 2);
    p.rect(middle - width / 2, 1, width, 15, c.focus);
    p.text(text, middle, 9, c.paper, { font: BOLD, align: 'center' });
  }

  extent() {
    const least = this.view.left, most = least + this.view.width;
    return [Math.min(Math.max(this.view.x(this.from), least), most),
      Math.min(Math.max(this.view.x(this.to), least), most)];
  }
}
