// The row of a task's life: solid while it ran, in the colour of the thread, with the actor; hatched while it did not
// run.
//
//   ┊created                                                      end│
//   ▒▒▒▒▒▒▒▒███████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒████████████│
//   a thread  ran   child task 7 ──────── actor, held by 4  ran

import { intervalAt } from '../picture/hits.js';
import { addTrackKind, Track } from '../picture/track.js';
import { Intervals } from '../trace/intervals.js';
import { AWAITS, SLEEP, TASK_FINISHED } from '../trace/tasks.js';
import { briefCode, formatCount, formatDuration, formatPoint, plural } from '../units.js';

const HEIGHT = 44, LANE_TOP = 10, LANE_HEIGHT = 22, SLOWEST_SHOWN = 12;

/**
 * A part of a task's life: a run, or one of the two parts of a wait.
 * @typedef {object} Piece
 * @property {string} what run, or the cause of the wait: actor, thread, task, group, continuation, never resumed, sleep
 * …
 * @property {number} from
 * @property {number} to
 * @property {TaskStep | null} step null from the creation to the first run
 */

/** The parts of a task's life. Gaps exist only where steps were left out. */
export function piecesOf(/** @type {Trace} */ trace, /** @type {number} */ position) {
  return trace.once('task pieces' + position, () => {
    const { tasks } = trace, { created, steps, kind } = tasks.list[position];
    /** @type {Piece[]} */
    const pieces = [];
    /** @type {(what: string, from: number, to: number, step: TaskStep | null) => void} */
    const add = (what, from, to, step) => { if (to > from || what === 'run') pieces.push({ what, from, to, step }); };
    if (steps.length) {
      const [first] = steps, hasActor = first.awaits < 0 && first.actor >= 0;
      add(kind === SLEEP ? 'sleep' : hasActor ? 'actor' : 'thread', created, first.begin, null);
    }
    for (const step of steps) {
      if (step.awaits < 0) { add('run', step.begin, step.end, step); continue; }
      const resumed = step.resumed >= 0 ? step.resumed : step.end;
      add(awaitedName(trace, position, step), step.begin, resumed, step);
      add(step.actor >= 0 ? 'actor' : 'thread', resumed, step.end, step);
    }
    return pieces;
  });
}

function awaitedName(/** @type {Trace} */ trace, /** @type {number} */ position, /** @type {TaskStep} */ step) {
  if (step.resumed < 0 && step.awaits === AWAITS.continuation && isLeak(trace, step)) return 'never resumed';
  if (trace.tasks.isSleep(position, step)) return 'sleep';
  return ['unknown', 'task', 'continuation', 'group', 'thread'][step.awaits] || 'unknown';
}

/** Is this the place of a finding? A task that waits for a request at the end of the trace has no finding. */
function isLeak(/** @type {Trace} */ trace, /** @type {TaskStep} */ step) {
  return trace.findings.some(({ focus, code }) => focus.scene === 'unresumedTasks' && code.includes(step.code));
}

/** The place of a run, or the cause of a wait; `isBrief` for the label of a bar. */
function pieceTitle(/** @type {Trace} */ trace, /** @type {number} */ position, /** @type {Piece} */ { what, step },
  isBrief = false) {
  const { tasks } = trace, held = step && step.holder && step.holder !== tasks.list[position].number
    ? `, held by ${isBrief ? 'task ' + step.holder : tasks.numberLabel(step.holder, position)}` : '';
  const actor = (/** @type {TaskStep} */ at) => {
    const label = trace.labels.queue(at.actor);
    return isBrief ? label.slice(label.lastIndexOf('.') + 1) : label;
  };
  const place = step && step.awaits >= 0 && step.code > 0 ? ` at ${briefCode(trace.meta.codes[step.code])}` : '';
  const awaited = step && step.awaits >= 0 ? tasks.awaited(position, step) : -1;
  switch (what) {
    case 'run': {
      return (step && step.actor >= 0 ? `${actor(step)} · ` : '') + trace.labels.thread(step ? step.thread : -1);
    }
    case 'actor': return step && step.actor >= 0 ? `actor ${actor(step)}${behind(trace, step) || held}` : 'its actor';
    case 'thread': return 'a thread of the pool';
    case 'task': return awaited >= 0 ? tasks.label(awaited) : `task ${step ? step.object : 0}`;
    case 'group': return awaited >= 0 ? `its group, last ${tasks.label(awaited)}` : 'its task group';
    case 'never resumed': return `a continuation${place} that was never resumed`;
    case 'sleep': return `sleep${place}`;
    case 'continuation': return `a continuation${place}`;
    default: return 'an unrecorded cause';
  }
}

/** The number of tasks that had the actor in between, when it is more than one. */
function behind(/** @type {Trace} */ trace, /** @type {TaskStep} */ step) {
  const { begin } = trace.items, running = trace.running(step.actor);
  const [first, last] = running.range(step.resumed, step.end);
  let count = last - first;
  if (count > 0 && step.isFinished && begin[running.row(last - 1)] >= step.end) count--;
  return count > 1 ? `, behind ${plural(count, 'turn')}` : '';
}

/** @returns {piece is Piece & { step: TaskStep }} */
function isRun(/** @type {Piece} */ piece) { return piece.what === 'run'; }

export class TaskTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {number} */ position, prefix = '') {
    const { tasks } = trace, task = tasks.list[position];
    super(trace, prefix + 'task' + position, tasks.label(position));
    this.task = position;
    this.subtitle = `lived ${formatDuration(tasks.life(position))} · ran ${formatDuration(tasks.ran(position))}`;
    this.pieces = piecesOf(trace, position);
    const runs = this.pieces.filter(isRun);
    const waits = this.pieces.filter(({ what }) => what !== 'run');
    this.queues = [...new Set(task.steps.map((step) => step.actor).filter((actor) => actor >= 0))];
    this.runs = TaskTrack.spans(runs);
    this.waits = TaskTrack.spans(waits);
    this.runPieces = runs;
    this.waitPieces = waits;
  }

  static spans(/** @type {Piece[]} */ pieces) {
    return Intervals.of(pieces, ({ from }) => from, ({ to }) => to);
  }

  get height() { return HEIGHT; }
  anchor(/** @type {number} */ y) { return y + LANE_TOP + LANE_HEIGHT / 2; }
  shows() { return false; }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { trace, runs, waits } = this, top = y + LANE_TOP, height = LANE_HEIGHT;
    if (p.isDetailed(waits, 0.5)) {
      p.bars(waits, { y: top + 3, height: height - 6,
        fill: (i) => p.hatch(TaskTrack.colour(p, this.waitPieces[i].what)) });
      this.drawWaitLabels(p, top + height / 2);
    } else {
      p.area(waits, { base: top + height - 3, height: height - 6, full: 1, fill: p.hatch(p.colours.run) });
    }
    p.barsOrArea(runs, { y: top, height, fill: (i) => p.palette.thread(this.runPieces[i].step.thread),
      label: (i) => pieceTitle(trace, this.task, this.runPieces[i], true) },
    { base: top + height, height, full: 1, fill: p.colours.run }, 0.5);
    const { created, end, flags } = trace.tasks.list[this.task];
    p.rect(p.view.x(created) - 1, y + 4, 2, HEIGHT - 10, p.colours.focus);
    if (flags & TASK_FINISHED) p.rect(p.view.x(end) - 1, y + 4, 2, HEIGHT - 10, p.colours.strong);
  }

  /** Amber: ready to run, as in a queue. Vermilion: never resumed. Blue-grey: awaits something. */
  static colour(/** @type {Painter} */ p, /** @type {string} */ what) {
    return what === 'actor' || what === 'thread' ? p.colours.wait
      : what === 'never resumed' ? p.colours.blocked : p.colours.run;
  }

  /** Draws the labels of waits on a plain background, because text on hatching is not readable. */
  drawWaitLabels(/** @type {Painter} */ p, /** @type {number} */ middle) {
    const { view } = p, [first, last] = this.waits.range(view.from, view.to);
    let free = view.left;
    for (let i = first; i < last; i++) {
      const [left, right] = view.clipped(this.waits.begins[i], this.waits.ends[i]);
      if (right - left < 44 || left < free) continue;
      const title = pieceTitle(this.trace, this.task, this.waitPieces[i], true), room = right - left - 16;
      // Use the longest form that fits: the whole title, without the holder, only the place, without the place, or two
      // words. A truncated label is not useful.
      const text = [title, title.split(', ')[0], title.replace('a continuation at ', ''), title.split(' at ')[0],
        title.split(' ').slice(0, 2).join(' ')].find((part) => p.textWidth(part) <= room);
      if (!text) continue;
      const width = p.textWidth(text);
      p.rect(left + 5, middle - 7, width + 6, 14, p.colours.paper);
      p.text(text, left + 8, middle + 0.5, p.colours.text);
      free = right;
    }
  }

  labelHit() { return taskHit(this.trace, this.task); }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const run = intervalAt(this.runs, view, x), wait = run < 0 ? intervalAt(this.waits, view, x) : -1;
    if (run >= 0) return pieceHit(this.trace, this.task, this.runPieces[run]);
    return wait >= 0 ? pieceHit(this.trace, this.task, this.waitPieces[wait]) : null;
  }
}

/** @returns {Hit} the hit of a whole task */
export function taskHit(/** @type {Trace} */ trace, /** @type {number} */ position) {
  const { tasks } = trace, task = tasks.list[position];
  const title = tasks.label(position);
  return { row: -1, task: position, extent: [task.created, task.end], describe: () => ({
    title: title[0].toUpperCase() + title.slice(1), facts: [
      ['function', task.code > 0 ? trace.labels.code(task.code) : 'unknown: created by the runtime'],
      ['kind', tasks.kind(position)], ['created at', formatPoint(task.created)],
      ['lived', formatDuration(task.end - task.created)], ['ran', formatDuration(tasks.ran(position))],
      ['state', tasks.state(position)],
      task.omitted ? ['left out', `${plural(task.omitted, 'step')} of ${formatCount(task.omitted + task.steps.length)}`]
        : null] }) };
}

/** @returns {Hit} the hit of a part of a task's life */
export function pieceHit(/** @type {Trace} */ trace, /** @type {number} */ position, /** @type {Piece} */ piece) {
  const { tasks } = trace, { what, from, to, step } = piece, isRun = what === 'run';
  const isReady = what === 'actor' || what === 'thread', isAwait = step && step.awaits >= 0 && !isReady;
  return { row: -1, task: position, piece, extent: [from, to], describe: () => ({
    title: `Task ${tasks.list[position].number} ${isRun ? 'ran' : 'waited for ' + pieceTitle(trace, position, piece)}`,
    facts: [
      isRun && step ? ['thread', trace.labels.thread(step.thread)] : null,
      isRun && step && step.actor >= 0 ? ['actor', trace.labels.queue(step.actor)] : null,
      step && step.code > 0 ? [isRun ? 'continued in' : 'awaits in', trace.labels.code(step.code)] : null,
      ['from', formatPoint(from)], [isRun ? 'ran for' : 'waited', formatDuration(to - from)],
      isAwait && step.resumer >= 0 ? ['resumed by', trace.labels.thread(step.resumer)
        + (step.resumedBy ? `, in ${tasks.numberLabel(step.resumedBy, position)}` : '')] : null,
      isAwait && step.resumeCode > 0 ? ['resumed in', trace.labels.code(step.resumeCode)] : null,
      step && !step.isFinished ? ['until', 'the trace ended'] : null] }) };
}

/** @type {Section} */
export const TASKS = { key: 'tasks', title: 'Tasks', startsFolded: () => true, note: ({ trace }, side) => {
    const count = trace.tasks.list.filter((_, position) => trace.tasks.isOfSide(position, side)).length;
    const { omittedTasks } = side.facts;
    return `the slowest of ${plural(count, 'task')}`
      + (omittedTasks ? `; ${plural(omittedTasks, 'task')} left out` : '');
  } };

addTrackKind({
  section: TASKS,
  place: 26,
  tracks: (list, side) => list.shown(list.once('slowest tasks' + side.name, () => list.trace.tasks.slowest
    .filter((position) => list.trace.tasks.isOfSide(position, side)).slice(0, SLOWEST_SHOWN)
    .map((position) => new TaskTrack(list.trace, position, 'slowest ')))),
  legend: [['task-ready', 'amber, hatched in the lane of a task: it was ready and waited for its actor or a thread'],
    ['task-awaits', 'blue-grey, hatched: it awaits a task, a group or a continuation, or it sleeps']],
});
