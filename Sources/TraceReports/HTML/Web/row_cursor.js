// A row that the keys act on: it is framed, spoken, and can be folded.

import { LABEL_WIDTH } from './viewport.js';

export class RowCursor {
  constructor(page) {
    this.page = page;
    this.list = page.list;
    this.key = null;
  }

  /** The row it stands on; undefined when that is folded away or filtered out. */
  get placed() { return this.list.rows.find((placed) => placed.row.key === this.key); }

  move(direction) {
    const { rows } = this.list, { timeline } = this.page;
    if (!rows.length) return;
    const at = rows.findIndex((placed) => placed.row.key === this.key);
    const next = at < 0 ? this.list.at(timeline.scroll) : Math.min(Math.max(at + direction, 0), rows.length - 1);
    this.key = rows[next].row.key;
    timeline.show(rows[next]);
    timeline.redraw();
    this.page.say(this.describe(rows[next].row));
  }

  describe(row) {
    const fold = row.isSection || row.isContainer ? (this.list.isFolded(row) ? ', folded' : ', unfolded') : '';
    return [row.title, row.subtitle || row.note].filter((text) => text).join(', ') + fold;
  }

  toggle() {
    const { placed } = this;
    if (!placed || !(placed.row.isSection || placed.row.isContainer)) {
      this.page.say('There is nothing to fold here. J and K go to other rows.');
      return;
    }
    this.list.toggle(placed.row);
    this.page.timeline.scrollBy(0);
    this.page.remember();
    this.page.say(this.describe(placed.row));
  }

  draw(p, { row, height }, y) {
    if (row.key !== this.key) return;
    p.ctx.strokeStyle = p.colours.focus;
    p.ctx.lineWidth = 2;
    p.ctx.strokeRect(1, y + 1, LABEL_WIDTH - 8, height - 3);
  }
}
