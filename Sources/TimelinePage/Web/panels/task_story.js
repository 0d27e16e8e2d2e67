// The story of a task: its creator, the parts of its life, its parent and children, and the chain of the tasks awaited
// last.

import { element, linkTo, partsBar } from './page_element.js';
import { TASK_PARTS } from '../trace/vocabulary.js';
import { formatCount, formatDuration, formatPoint, plural } from '../units.js';

const CHILDREN_LISTED = 6, MOST_CHILDREN = 200;

export class TaskStory {
  constructor(/** @type {Trace} */ trace, /** @type {Page} */ page) {
    this.trace = trace;
    this.page = page;
    /** The position of the task whose children are all listed; -1 for none. */
    this.unfolded = -1;
  }

  get tasks() { return this.trace.tasks; }

  /** One sentence for the live region. */
  sentence(/** @type {number} */ position) {
    const { tasks } = this, children = tasks.children(position).length;
    return `${tasks.label(position)}: lived ${formatDuration(tasks.life(position))}, ran `
      + `${formatDuration(tasks.ran(position))}, ${tasks.state(position)}`
      + (children ? `, created ${plural(children, 'task')}` : '');
  }

  link(/** @type {number} */ position) {
    return linkTo(this.tasks.label(position), () => this.page.tasks.select(position));
  }

  /** For an item: the task that it belongs to. */
  ofItem(/** @type {number} */ position) {
    return element('p', { className: 'task' }, element('strong', {}, 'Part of '), this.link(position),
      `, which ran ${formatDuration(this.tasks.ran(position))} of ${formatDuration(this.tasks.life(position))}`);
  }

  parts(/** @type {number} */ position) {
    return [this.origin(position), this.life(position), this.path(position), this.children(position)];
  }

  origin(/** @type {number} */ position) {
    const { tasks, trace } = this, { creator, created, parent } = tasks.list[position], known = tasks.parent(position);
    if (creator < 0) return element('p', { className: 'origin' }, 'Created by the runtime or before the recording');
    return element('p', { className: 'origin' }, element('strong', {}, 'Created by '),
      known >= 0 ? [this.link(known), ', on '] : parent ? `task ${parent}, which was left out, on ` : '',
      linkTo(trace.labels.thread(creator), () => this.page.revealThread(creator)), ` at ${formatPoint(created)}`);
  }

  life(/** @type {number} */ position) {
    const { parts } = this.tasks.list[position], life = parts.reduce((sum, part) => sum + part, 0);
    if (life <= 0) return '';
    return element('div', {}, element('h3', {}, `Lived ${formatDuration(life)}`),
      partsBar('Parts of its life', parts, TASK_PARTS, 'life'));
  }

  /** The child that the task awaited last, the task that this child awaited last, and so on. */
  path(/** @type {number} */ position) {
    const chain = this.tasks.criticalChain(position);
    if (chain.length < 2) return '';
    return element('div', { className: 'task-path' }, element('h3', {}, 'Critical path through its tasks'),
      element('ol', { className: 'children' }, chain.slice(1).map((child, number) => element('li', {}, this.link(child),
        ` was awaited for ${formatDuration(this.tasks.awaitedTasks(chain[number]).times.get(child) || 0)}`))));
  }

  children(/** @type {number} */ position) {
    const { tasks } = this, all = tasks.children(position), { times, last } = tasks.awaitedTasks(position);
    const omitted = this.trace.sides[tasks.list[position].side].facts.omittedTasks;
    const note = omitted ? element('p', { className: 'calm' }, `${plural(omitted, 'task')} of the trace left out`)
      : '';
    if (!all.length) return note;
    const waited = (/** @type {number} */ child) => times.get(child) || 0, isAll = this.unfolded === position;
    /** @type {(a: number, b: number) => number} */
    const order = (a, b) => Number(b === last) - Number(a === last) || waited(b) - waited(a)
      || tasks.life(b) - tasks.life(a) || a - b;
    const shown = [...all].sort(order).slice(0, isAll ? MOST_CHILDREN : CHILDREN_LISTED);
    const rest = all.length - shown.length, more = Math.min(MOST_CHILDREN, all.length) - shown.length;
    const unfold = () => {
      this.unfolded = position;
      this.page.showPanel();
    };
    return element('div', { className: 'task-children' }, element('h3', {}, `Created ${plural(all.length, 'task')}`),
      element('ul', { className: 'children' }, shown.map((child) => element('li',
        child === last ? { className: 'critical', title: 'On the critical path' } : {}, this.link(child),
        ` lived ${formatDuration(tasks.life(child))}, ran ${formatDuration(tasks.ran(child))}`,
        waited(child) ? `, awaited for ${formatDuration(waited(child))}` : '', `, ${tasks.state(child)}`,
        child === last ? element('strong', {}, ' · awaited last') : ''))),
      rest > 0 && !isAll ? element('div', { className: 'buttons' }, element('button', {
        type: 'button', id: 'all-children', onclick: unfold }, `Show ${formatCount(more)} more`))
        : rest > 0 ? element('p', { className: 'calm' }, `and ${formatCount(rest)} more`) : '', note);
  }
}
