// The list of rows from top to bottom, and which of them are folded: first the pinned rows of the chosen finding, then
// each section with the tracks of its kinds.

import { BOLD } from './painter.js';
import { TRACK_KINDS } from './track.js';
import { LABEL_WIDTH } from './viewport.js';
import { partition } from '../trace/columns.js';

const SECTION_HEIGHT = 26;

export class SectionRow {
  constructor(/** @type {string} */ key, /** @type {string} */ title, note = '', startsFolded = false) {
    this.key = key;
    this.title = title;
    this.note = note;
    this.startsFolded = startsFolded;
    /** @type {true} */
    this.isSection = true;
    this.height = SECTION_HEIGHT;
  }

  drawLabel(/** @type {Painter} */ p, /** @type {number} */ y, /** @type {string} */ fold) {
    const c = p.colours, title = fold + this.title, width = p.textWidth(title, BOLD), middle = y + SECTION_HEIGHT / 2;
    // Covers the lines of the grid.
    p.rect(0, y + 1, 28 + width + p.textWidth(this.note), SECTION_HEIGHT - 2, c.band);
    p.text(title, 12, middle, c.strong, { font: BOLD });
    p.text(this.note, 24 + width, middle, c.faint, { width: p.width - 60 - width });
  }
}

export class TrackList {
  constructor(/** @type {Trace} */ trace) {
    this.trace = trace;
    /** @type {Map<string, boolean>} */
    this.folded = new Map();
    /** @type {{ banner: Banner, tracks: Track[] } | null} */
    this.pinned = null;
    /** @type {RowFilter | null} */
    this.filter = null;
    /** @type {Map<string, unknown>} */
    this.cache = new Map();
    /** The kinds of each section, in order. */
    this.sections = new Map(TRACK_KINDS.map(({ section }) =>
      [section, TRACK_KINDS.filter((kind) => kind.section === section)]));
    /** Sections that begin below this position are omitted. The first frame uses it to draw faster. */
    this.limit = Infinity;
    /** @type {Placed[]} the visible rows; empty until the first call of `pin` */
    this.rows = [];
    this.height = this.pinnedHeight = 0;
  }

  /**
   * Caches a value for a track kind, so that a track keeps its computed data.
   *
   * @template Value
   * @param {string} key
   * @param {() => Value} make
   */
  once(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return /** @type {Value} */ (this.cache.get(key));
  }

  isFolded(/** @type {Row} */ row) { return this.folded.get(row.key) ?? row.startsFolded === true; }

  /** The fold mark before the title of a row that can be folded. */
  foldMark(/** @type {Row} */ row) {
    return !row.isSection && !row.isContainer ? '' : this.isFolded(row) ? '▸ ' : '▾ ';
  }

  toggle(/** @type {Row} */ row) {
    this.folded.set(row.key, !this.isFolded(row));
    this.rebuild();
  }

  /** The rows that the reader folded or unfolded, for a link. */
  foldedText() { return [...this.folded].map(([key, isFolded]) => `${key}:${isFolded ? 1 : 0}`).join(';'); }

  restoreFolded(/** @type {string} */ text) {
    this.folded = new Map(text.split(';').map((pair) => pair.split(':')).filter((pair) => pair.length === 2)
      .map(([key, value]) => [key, value === '1']));
  }

  /** The tracks that pass the filter. */
  shown(/** @type {Track[]} */ tracks) {
    const { filter } = this;
    return filter && filter.isOn ? tracks.filter((track) => filter.passes(track)) : tracks;
  }

  /** Shows tracks below a banner at the top, until the next call. */
  pin(/** @type {Banner | null} */ banner, /** @type {Track[]} */ tracks) {
    this.pinned = banner ? { banner, tracks } : null;
    this.rebuild();
  }

  rebuild() {
    this.rows = [];
    this.height = 0;
    const { pinned } = this;
    if (pinned) this.section(pinned.banner, () => this.shown(pinned.tracks));
    this.pinnedHeight = this.height;
    // The trace before the change comes first.
    for (const side of this.trace.sides) {
      for (const [section, kinds] of this.sections) {
        if (this.height > this.limit) return;
        const tracks = () => kinds.flatMap((kind) => kind.tracks(this, side));
        if (!section.isAlwaysThere && !tracks().length) continue;
        const title = side.name ? `${side.name} · ${section.title}` : section.title;
        this.section(new SectionRow(section.key + side.name, title, section.note && section.note(this, side),
          section.startsFolded && section.startsFolded(this, side)), tracks);
      }
    }
  }

  section(/** @type {Row} */ header, /** @type {() => Track[]} */ tracks) {
    this.place(header);
    if (!this.isFolded(header)) for (const track of tracks()) this.place(track);
  }

  place(/** @type {Row} */ row) {
    const { height } = row;
    this.rows.push({ row, y: this.height, height });
    this.height += height;
  }

  at(/** @type {number} */ y) {
    return partition(this.rows.length, (at) => this.rows[at].y + this.rows[at].height <= y);
  }

  /** Unfolds the section and the groups of a row, or of a queue's row, and returns the row with its position. */
  reveal(/** @type {string} */ key, queue = -1) {
    const find = () => this.rows.find((placed) => placed.row.key === key);
    if (find()) return find();
    for (const side of this.trace.sides) {
      for (const [section, kinds] of this.sections) {
        const has = () => kinds.some((kind) => kind.tracks(this, side).some((track) => track.key === key));
        if (section.isAlwaysThere || has()) this.folded.set(section.key + side.name, false);
      }
    }
    for (let at = queue, steps = 0; at >= 0 && this.trace.queues[at] && steps < 64; steps++) {
      this.folded.set('queue' + at, false);
      at = this.trace.queues[at].target;
    }
    this.rebuild();
    if (!find() && queue >= 0) {
      const hiding = this.rows.filter(({ row }) => !row.isSection && row.isContainer && row.queues.includes(queue));
      for (const { row } of hiding) this.folded.set(row.key, false);
      this.rebuild();
    }
    return find();
  }
}

/** The row that the keys act on. It has an outline, is announced to screen readers, and can be folded. */
export class RowCursor {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.list = page.list;
    this.key = null;
  }

  /** The current row; undefined when it is folded away or filtered out. */
  get placed() { return this.list.rows.find((placed) => placed.row.key === this.key); }

  move(/** @type {number} */ direction) {
    const { rows } = this.list, { timeline } = this.page;
    if (!rows.length) return;
    const at = rows.findIndex((placed) => placed.row.key === this.key);
    const next = at < 0 ? this.list.at(timeline.scroll) : Math.min(Math.max(at + direction, 0), rows.length - 1);
    this.key = rows[next].row.key;
    timeline.show(rows[next]);
    timeline.redraw();
    this.page.say(this.describe(rows[next].row));
  }

  describe(/** @type {Row} */ row) {
    const fold = row.isSection || row.isContainer ? (this.list.isFolded(row) ? 'folded' : 'unfolded') : '';
    return [row.title, fold, (!row.isSection && row.subtitle) || row.note].filter((text) => text).join(', ');
  }

  toggle() {
    const { placed } = this;
    if (!placed || !(placed.row.isSection || placed.row.isContainer)) {
      this.page.notify('This row cannot be folded. Press J or K for another row.');
      return;
    }
    this.list.toggle(placed.row);
    this.page.timeline.scrollBy(0);
    this.page.remember();
    this.page.say(this.describe(placed.row));
  }

  draw(/** @type {Painter} */ p, /** @type {Placed} */ { row, height }, /** @type {number} */ y) {
    if (row.key === this.key) p.frame(1, y + 1, LABEL_WIDTH - 8, height - 3, p.colours.focus, 2);
  }
}
