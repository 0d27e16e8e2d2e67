// The common base of all rows of the timeline, and the registry of row kinds. Each kind is one file of the folder
// `tracks`: it extends Track and registers itself with `addTrackKind`. No other file names it.

import { BOLD, FONT } from './painter.js';
import { LABEL_WIDTH } from './viewport.js';

/** The height of the items in the row of a thread. */
export const THREAD_RUN = 14;

/**
 * A heading of the list.
 * @typedef {object} Section
 * @property {string} key the name in links
 * @property {string} title
 * @property {(list: TrackList, side: Side) => string} [note] a text next to the title
 * @property {boolean} [isAlwaysThere] shown without rows, too
 * @property {(list: TrackList, side: Side) => boolean} [startsFolded]
 */

/**
 * @typedef {object} TrackKind
 * @property {Section} section
 * @property {number} place the order of sections, and of kinds within a section, ascending
 * @property {(list: TrackList, side: Side) => Track[]} tracks the rows of a trace; called after each change of the list
 * @property {string[][]} [legend] lines of the help: the CSS class of a swatch, and its meaning
 */

/** @type {TrackKind[]} */
export const TRACK_KINDS = [];

/** @param {TrackKind} kind */
export function addTrackKind(kind) {
  TRACK_KINDS.push(kind);
  TRACK_KINDS.sort((a, b) => a.place - b.place);
}

export class Track {
  /** @param {string} key the name of the row in links */
  constructor(/** @type {Trace} */ trace, key, /** @type {string} */ title, subtitle = '') {
    this.trace = trace;
    this.key = key;
    this.title = title;
    this.subtitle = subtitle;
    /** The thread or queue of the row, to which arrows point; -1 for none. */
    this.thread = this.queue = -1;
    /** The task of the lane; -1 for none. */
    this.task = -1;
    /** The queues whose items are in the row, for the filter. */
    /** @type {number[]} */
    this.queues = [];
    this.indent = 0;
    /** @type {false} */
    this.isSection = false;
    this.isPinned = this.isContainer = this.startsFolded = this.isEmpty = false;
    this.note = '';
  }

  /** Marks the row as a row of a finding, which has more space. */
  pinned() {
    if (!this.isPinned) this.key = 'pinned ' + this.key;
    this.isPinned = true;
    return this;
  }

  get height() { return 30; }
  /** Draws the row with its top at `y`. The painter clips the drawing to the time axis. */
  draw(/** @type {Painter} */ p, /** @type {number} */ y) {}
  /** Draws next to the label. */
  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {}
  /**
   * The hit at a place `dy` below the top; null for none.
   * @returns {Hit | null}
   */
  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) { return null; }
  /**
   * The hit that a click on the label selects; null for none.
   * @returns {Hit | null}
   */
  labelHit() { return null; }
  /**
   * The vertical position of arrows in a row whose top is at `y`; undefined for none.
   * @returns {number | undefined}
   */
  anchor(/** @type {number} */ y) { return undefined; }
  /** @returns {Intervals | null} the items that the keys step through; null for none */
  get items() { return null; }
  /** Does the row draw an item? */
  shows(/** @type {number} */ row) {
    const { thread, queue } = this.trace.items;
    return this.thread === thread[row] || this.queue === queue[row];
  }

  get labelLeft() { return 12 + this.indent * 12; }
  get labelRoom() { return LABEL_WIDTH - this.labelLeft - 16; }

  /** The whole label for the tooltip when the label is cut; otherwise null. */
  labelHint(/** @type {Painter} */ p) {
    const isCut = ['▾ ' + this.title, this.subtitle].some((text) => p.textWidth(text, FONT) > this.labelRoom);
    const facts = this.subtitle ? [['', this.subtitle]] : [];
    return isCut ? { describe: () => ({ title: this.title, facts }) } : null;
  }

  /** @param {string} fold the fold mark before the title */
  drawLabel(/** @type {Painter} */ p, /** @type {number} */ y, fold, /** @type {number} */ height) {
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
