// Selects items. The keys step through the items of a queue or of a code, to the parent and to the children.

import { itemHit } from '../picture/hits.js';
import { CausalPath } from '../trace/causal_path.js';
import { LEFT_OUT } from '../trace/decoder.js';

export class ItemChoice {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.trace = page.trace;
  }

  /** The row of the selected item; -1 for none. */
  get row() { return this.page.state.selectedRow; }

  select(/** @type {number} */ row) {
    const { page, trace } = this, { view, timeline } = page, { begin, end, enqueued } = trace.items;
    page.tooltip.hide();
    page.select(itemHit(trace, row));
    view.visit(begin[row], end[row], end[row] - enqueued[row]);
    if (!timeline.shows(row)) page.revealQueue(trace.items.queue[row]);
  }

  isChosen() {
    if (this.row < 0) this.page.notify('Choose an item first.');
    return this.row >= 0;
  }

  selectFirstInView() {
    const row = this.page.timeline.firstRowInView();
    if (row >= 0) this.select(row); else this.page.notify('No item begins in view.');
  }

  /** Selects the item before or after the selected item among `rows`; without rows, the first item in view. */
  stepAmong(/** @type {Uint32Array | null} */ rows, /** @type {number} */ direction) {
    if (!rows) { this.selectFirstInView(); return; }
    const at = this.trace.relations.position(rows, this.row) + direction;
    if (at >= 0 && at < rows.length) this.select(rows[at]);
    else this.page.notify(direction > 0 ? 'That was the last one.' : 'That was the first one.');
  }

  stepInQueue(/** @type {number} */ direction) {
    this.stepAmong(this.row < 0 ? null : this.trace.rowsOfQueue(this.trace.items.queue[this.row]), direction);
  }

  stepInCode(/** @type {number} */ direction) {
    const { row, trace } = this;
    this.stepAmong(row < 0 ? null : trace.relations.itemsOfCode(trace.shapeOf(row).code), direction);
  }

  selectParent() {
    if (!this.isChosen()) return;
    const parent = this.trace.items.parent[this.row];
    if (parent >= 0) this.select(parent);
    else this.page.notify(parent === LEFT_OUT ? 'The parent item was left out.' : 'No item enqueued this item.');
  }

  selectChild() {
    if (!this.isChosen()) return;
    const [child] = this.trace.relations.offspring(this.row);
    if (child !== undefined) this.select(child); else this.page.notify('This item enqueued nothing.');
  }

  /** Shows or hides the causal path of the selected item, from its submission to its end. */
  togglePath() {
    const { page } = this, { state } = page, path = state.showsPath ? null : new CausalPath(this.trace, this.row);
    state.set({ path });
    if (state.selection) page.details.show(state.selection);
    page.say(path ? page.story.pathSentence(path) : 'The path is hidden.');
  }
}
