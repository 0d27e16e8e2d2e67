// Selects tasks. The lane of the selected task is below all rows, and the keys step through its life, parent and
// children.

import { pieceHit, piecesOf, TaskTrack, taskHit } from '../tracks/task.js';

export class TaskChoice {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.trace = page.trace;
  }

  /** The position of the task that a hit belongs to; -1 for none. */
  of(/** @type {Hit | null} */ hit) {
    if (!hit) return -1;
    return hit.task !== undefined ? hit.task : hit.row >= 0 ? this.trace.tasks.ofRow(hit.row) : -1;
  }

  get chosen() { return this.of(this.page.state.selection); }
  /** Is the selection the task itself or a part of its life, rather than an item? */
  get isChosen() { return this.page.items.row < 0 && this.chosen >= 0; }

  /** Shows the lane of the selected task. The clicked row stays visible. */
  follow(/** @type {Hit | null} */ hit) {
    const { timeline, list } = this.page, task = this.of(hit), isNew = timeline.dock === null;
    const dock = task < 0 ? null
      : list.once('lane of task' + task, () => new TaskTrack(this.trace, task, 'chosen '));
    timeline.dock = dock;
    const isCovered = isNew && timeline.pointer && timeline.pointer.y > timeline.bodyBottom;
    timeline.scrollBy(dock && isCovered ? dock.height : 0);
  }

  select(/** @type {number} */ position) {
    const { page, trace } = this, { view } = page, hit = taskHit(trace, position), [from, to] = hit.extent;
    page.tooltip.hide();
    page.select(hit);
    const isOutside = to < view.from || from > view.to;
    if (isOutside || (to - from) / view.scale < 20 || to - from > view.span) view.frame(from, to, 0.08);
  }

  /** Selects the slowest task, then the next slowest. */
  selectSlowest() {
    const { slowest } = this.trace.tasks;
    if (!slowest.length) { this.page.notify('This trace has no tasks.'); return; }
    this.select(slowest[(slowest.indexOf(this.chosen) + 1) % slowest.length]);
  }

  /** Selects the task of the selected item. */
  selectChosen() {
    if (this.chosen >= 0) this.select(this.chosen);
    else this.page.notify(this.trace.tasks.count ? 'Choose an item of a task first.' : 'This trace has no tasks.');
  }

  selectParent() {
    const { tasks } = this.trace, known = tasks.parent(this.chosen), { number, parent } = tasks.list[this.chosen];
    if (known >= 0) this.select(known);
    else this.page.notify(parent ? 'The parent task was left out.' : `No task created task ${number}.`);
  }

  /** Selects the child that the task awaited last, otherwise its first child. */
  selectChild() {
    const { tasks } = this.trace, { last } = tasks.awaitedTasks(this.chosen), [first] = tasks.children(this.chosen);
    const child = last >= 0 ? last : first;
    if (child !== undefined) this.select(child); else this.page.notify('This task created no task.');
  }

  /** Selects the part of the task's life before or after the selected part. */
  step(/** @type {number} */ direction) {
    const position = this.chosen, { page, trace } = this, { view, state } = page, pieces = piecesOf(trace, position);
    const from = state.selection && state.selection.piece, first = direction > 0 ? -1 : pieces.length;
    const piece = pieces[(from ? pieces.findIndex((each) => each === from) : first) + direction];
    if (!piece) { page.notify(direction > 0 ? 'That was the last step.' : 'That was the first step.'); return; }
    page.select(pieceHit(trace, position, piece));
    if (piece.from < view.from || piece.from > view.to) page.goTo(piece.from);
  }
}
