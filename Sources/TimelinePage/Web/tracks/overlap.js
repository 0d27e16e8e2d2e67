// Several queues as one row: the number of them that run at once. One step is one queue. The dashed line is one at a
// time, which is the most that a single serial queue would use.

import { intervalAt, itemHit } from '../picture/hits.js';
import { Track } from '../picture/track.js';
import { plural } from '../units.js';

/** Queues of one kind share a row from this number on. */
export const GROUP_SIZE = 4;

export class OverlapTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {string} */ title, /** @type {number[]} */ queues,
    /** @type {string} */ key, indent = 0) {
    super(trace, key, title);
    this.queues = queues;
    this.indent = indent;
    this.together = trace.runningTogether(queues);
    // An average, where items were left out.
    this.peak = Math.max(1, Math.round(this.together.peak()));
    const [first] = queues, noun = trace.queues[first] && trace.queues[first].kind === 'actor' ? 'actor' : 'queue';
    this.subtitle = `${plural(queues.length, noun)} · up to ${this.peak} at once`;
  }

  get height() { return Math.min(64, 14 + Math.max(2, this.peak) * 9); }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { view } = p, base = y + this.height - 5, height = this.height - 10, step = height / this.peak;
    if (this.peak > 1) {
      p.area(this.together, { base, height, full: this.peak, fill: p.colours.run });
      // The area above one at a time is the overlap.
      p.clipped(view.left, y, view.width, height + 5 - step, () =>
        p.area(this.together, { base, height, full: this.peak, fill: p.colours.wait }));
      p.dashedLine(base - step, p.colours.text);
    } else {
      p.area(this.together, { base, height, full: 1, fill: p.colours.run });
    }
  }

  /** Draws the scale: the largest number at once, and one. */
  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {
    if (this.peak < 2) return;
    const base = y + this.height - 5, height = this.height - 10;
    p.text(String(this.peak), p.view.left - 8, base - height + 4, p.colours.faint, { align: 'right' });
    p.text('1', p.view.left - 8, base - height / this.peak, p.colours.faint, { align: 'right' });
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const at = intervalAt(this.together, view, x);
    return at < 0 ? null : itemHit(this.trace, this.together.row(at));
  }
}
