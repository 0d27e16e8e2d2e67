// Choosing a task: its lane is shown below all rows, and the keys walk its steps and its family.

import { pieceHit, piecesOf, TaskTrack, taskHit } from '../tracks/task.js';

export class TaskChoice {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.trace = page.trace;
  }

  /** The position of the task that a hit is a part of; -1 for none. */
  of(/** @type {Hit | null} */ hit) {
    if (!hit) return -1;
    return hit.task !== undefined ? hit.task : hit.row >= 0 ? this.trace.tasks.ofRow(hit.row) : -1;
  }

  get chosen() { return this.of(this.page.timeline.selection); }
  /** Is it the task itself that is chosen, or a part of its life, and not an item? */
  get isChosen() { return this.page.selectedRow < 0 && this.chosen >= 0; }

  /** Shows the lane of the task that was chosen with a hit, without moving what was clicked. */
  follow(/** @type {Hit | null} */ hit) {
    const { timeline, list } = this.page, task = this.of(hit), isNew = timeline.dock === null;
    timeline.dock = task < 0 ? null
      : list.once('lane of task' + task, () => new TaskTrack(this.trace, task, 'chosen '));
    const isCovered = isNew && timeline.dock && timeline.pointer && timeline.pointer.y > timeline.bodyBottom;
    timeline.scrollBy(isCovered ? timeline.dock.height : 0);
  }

  select(position) {
    const { page, trace } = this, { view } = page, hit = taskHit(trace, position), [from, to] = hit.extent;
    page.tooltip.hide();
    page.select(hit);
    const isOutside = to < view.from || from > view.to;
    if (isOutside || (to - from) / view.scale < 20 || to - from > view.span) view.frame(from, to, 0.08);
  }

  /** The slowest task, then the next slowest. */
  selectSlowest() {
    const { slowest } = this.trace.tasks;
    if (!slowest.length) { this.page.notify('This trace has no tasks.'); return; }
    this.select(slowest[(slowest.indexOf(this.chosen) + 1) % slowest.length]);
  }

  /** From an item to the task that it is a part of. */
  selectChosen() {
    if (this.chosen >= 0) this.select(this.chosen);
    else this.page.notify(this.trace.tasks.count ? 'Choose an item of a task first.' : 'This trace has no tasks.');
  }

  selectParent() {
    const { tasks } = this.trace, known = tasks.parent(this.chosen), { number, parent } = tasks.list[this.chosen];
    if (known >= 0) this.select(known);
    else this.page.notify(parent ? 'The task that made this was left out.' : `No task made task ${number}.`);
  }

  /** The child that it waited for last, otherwise its first. */
  selectChild() {
    const { tasks } = this.trace, { last } = tasks.awaitedTasks(this.chosen), [first] = tasks.children(this.chosen);
    const child = last >= 0 ? last : first;
    if (child !== undefined) this.select(child); else this.page.notify('This made no task.');
  }

  /** The part of its life before or after the chosen one. */
  step(direction) {
    const position = this.chosen, { page, trace } = this, { view, timeline } = page, pieces = piecesOf(trace, position);
    const from = timeline.selection.piece, first = direction > 0 ? -1 : pieces.length;
    const piece = pieces[(from ? pieces.findIndex((each) => each === from) : first) + direction];
    if (!piece) { page.notify(direction > 0 ? 'That was its last step.' : 'That was its first step.'); return; }
    page.select(pieceHit(trace, position, piece));
    if (piece.from < view.from || piece.from > view.to) page.goTo(piece.from);
  }
}
