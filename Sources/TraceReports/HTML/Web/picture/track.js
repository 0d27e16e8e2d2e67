// What all rows of the timeline share, and the kinds of rows that there are. A kind is one file of the folder tracks:
// it extends Track, and adds itself here with its place. Nothing else names it.

import { BOLD, FONT } from './painter.js';
import { LABEL_WIDTH } from './viewport.js';

/**
 * A heading of the list.
 * @typedef {object} Section
 * @property {string} key for links
 * @property {string} title
 * @property {(list: TrackList, side: Side) => string} [note] beside the title
 * @property {boolean} [isAlwaysThere] even without rows
 * @property {(list: TrackList, side: Side) => boolean} [startsFolded]
 */

/**
 * @typedef {object} TrackKind
 * @property {Section} section
 * @property {number} place sections, and what is in one, stand in ascending order
 * @property {(list: TrackList, side: Side) => Track[]} tracks the rows of a trace; called whenever the list changes
 * @property {string[][]} [legend] lines of the help: the class of a swatch, and what it means
 */

/** @type {TrackKind[]} */
export const TRACK_KINDS = [];

/** @param {TrackKind} kind */
export function addTrackKind(kind) {
  TRACK_KINDS.push(kind);
  TRACK_KINDS.sort((a, b) => a.place - b.place);
}

export class Track {
  /** @param {string} key names the row in links */
  constructor(/** @type {Trace} */ trace, key, title, subtitle = '') {
    this.trace = trace;
    this.key = key;
    this.title = title;
    this.subtitle = subtitle;
    /** The thread or queue of which this is the row: arrows go there. */
    this.thread = this.queue = -1;
    /** The task of which this is the lane. */
    this.task = -1;
    /** Queues whose items are in the row, for the filter. */
    this.queues = [];
    this.indent = 0;
    this.isSection = this.isPinned = this.isContainer = this.startsFolded = this.isEmpty = false;
    this.note = '';
  }

  /** The same among the rows of a finding, where there is more room. */
  pinned() {
    if (!this.isPinned) this.key = 'pinned ' + this.key;
    this.isPinned = true;
    return this;
  }

  get height() { return 30; }
  /** Draws the row with its top at `y`; the painter cuts off what is left of the time axis. */
  draw(/** @type {Painter} */ p, y) {}
  /** Draws beside the label. */
  drawMargin(/** @type {Painter} */ p, y) {}
  /** What is at a place, `dy` below the top; null where nothing is. @returns {Hit | null} */
  hit(x, dy, /** @type {Viewport} */ view) { return null; }
  /** What a click on the label chooses. @returns {Hit | null} */
  labelHit() { return null; }
  /** Where arrows leave or enter a row that has its top at `y`; undefined where none do. */
  anchor(y) { return undefined; }
  /** The items that keys step through; null without any. */
  get items() { return null; }
  /** Does the row draw an item? */
  shows(row) {
    const { thread, queue } = this.trace.items;
    return this.thread === thread[row] || this.queue === queue[row];
  }

  get labelLeft() { return 12 + this.indent * 12; }
  get labelRoom() { return LABEL_WIDTH - this.labelLeft - 16; }

  /** The whole label for the tooltip where it is cut; null where all of it is seen. */
  labelHint(/** @type {Painter} */ p) {
    const isCut = ['▾ ' + this.title, this.subtitle].some((text) => p.textWidth(text, FONT) > this.labelRoom);
    const facts = this.subtitle ? [['', this.subtitle]] : [];
    return isCut ? { describe: () => ({ title: this.title, facts }) } : null;
  }

  /** @param {string} fold the mark of what can be folded */
  drawLabel(/** @type {Painter} */ p, y, fold, height) {
    const c = p.colours, left = this.labelLeft, width = this.labelRoom;
    const middle = y + Math.min(height / 2, 11.5);
    if (height < 26) {
      p.text(fold + this.title, left, middle, this.isEmpty ? c.faint : c.text, { width });
      return;
    }
    p.text(fold + this.title, left, middle - 1, c.strong, { width, font: this.isPinned ? BOLD : FONT });
    p.text(this.subtitle, left, middle + 12.5, c.faint, { width });
    this.drawMargin(p, y);
  }
}
