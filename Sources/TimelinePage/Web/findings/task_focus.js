// Selects the rows and the interval for a finding about tasks: the lanes of the tasks in its evidence are first.

import { enqueuedAt } from './evidence.js';
import { lowerBound, median } from '../trace/columns.js';
import { TaskTrack } from '../tracks/task.js';
import { TaskCountTrack } from '../tracks/task_count.js';
import { formatCount, formatDuration, plural } from '../units.js';

const LANES_SHOWN = 4, HOPS_SHOWN = 14, RUNS_SHOWN = 30, TURNS_SHOWN = 20, OUTLIER = 20;

/** @typedef {(trace: Trace, finding: Finding, tasks: number[], moment: Focus) => Focus} Scene */

/** @type {Record<TaskScene, Scene>} the function for each scene of tasks */
const SCENES = { tasks: lives, unresumedTasks: lives, actorTurns: turns, actorHops: hops, shortTasks: runs,
  taskCount: explosion };

/**
 * The rows and the interval of a finding about tasks; null for another finding, or when its tasks are not in the page.
 * `moment` returns the focus of a finding without a special case.
 */
export function taskFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding,
  /** @type {() => Focus} */ moment) {
  const { scene } = finding.focus;
  if (!(scene in SCENES) || !trace.tasks.count) return null;
  const tasks = tasksOf(trace, finding);
  return tasks.length ? SCENES[/** @type {TaskScene} */ (scene)](trace, finding, tasks, moment()) : null;
}

/** The tasks in a finding's evidence, each once. */
function tasksOf(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const { tasks, sides } = trace, side = sides.indexOf(trace.sideOfFinding(finding));
  const found = /** @type {Set<number>} */ (new Set());
  for (const { time, thread, task } of finding.evidence) {
    const row = task === undefined ? enqueuedAt(trace, finding, time) : -1;
    const position = task !== undefined ? tasks.numbered(task, side)
      : row >= 0 ? tasks.ofRow(row) : tasks.near(thread, time);
    if (position >= 0) found.add(position);
  }
  return [...found];
}

const lengthOf = (/** @type {TimeRange} */ { from, to }) => to - from;

const lanes = (/** @type {Trace} */ trace, /** @type {number[]} */ tasks) =>
  tasks.slice(0, LANES_SHOWN).map((position) => new TaskTrack(trace, position));

/** @type {Scene} */
function lives(trace, finding, tasks, moment) {
  return { ...moment, tracks: [...lanes(trace, tasks), ...moment.tracks] };
}

/**
 * For an actor that is held for long, the longest wait is a good example. For an actor with too many requests the
 * longest wait is an outlier, for example because the holder lost its processor. Then show a readable number of turns
 * of median length.
 * @type {Scene}
 */
function turns(trace, finding, tasks, moment) {
  const { begin, end } = trace.items, actor = finding.queues.find((queue) => trace.queues[queue]), spans = [];
  const rows = actor === undefined ? [] : trace.rowsOfQueue(actor).filter((row) => begin[row] >= finding.begin);
  for (let i = 0; i + TURNS_SHOWN <= rows.length; i += TURNS_SHOWN) {
    spans.push({ from: begin[rows[i]], to: end[rows[i + TURNS_SHOWN - 1]], rows: [...rows.slice(i, i + TURNS_SHOWN)] });
  }
  const typical = median(spans, lengthOf);
  if (!typical || (typical.to - typical.from) * OUTLIER > moment.to - moment.from) {
    return lives(trace, finding, tasks, moment);
  }
  const turning = [...new Set(typical.rows.map((row) => trace.tasks.ofRow(row)).filter((position) => position >= 0))];
  return { from: typical.from, to: typical.to, tracks: [...lanes(trace, turning), ...moment.tracks] };
}

/**
 * A sequence of hops of median length. The first hops may include the creation of a queue.
 * @type {Scene}
 */
function hops(trace, finding, tasks, moment) {
  const { steps } = trace.tasks.list[tasks[0]];
  const inside = steps.filter((step) => step.begin >= finding.begin && step.end <= finding.end), spans = [];
  for (let i = 0; i + HOPS_SHOWN <= inside.length; i += HOPS_SHOWN >> 1) {
    spans.push({ from: inside[i].begin, to: inside[i + HOPS_SHOWN - 1].end });
  }
  const typical = median(spans, lengthOf) || moment;
  return { from: typical.from, to: typical.to, tracks: [...lanes(trace, tasks.slice(0, 1)), ...moment.tracks] };
}

/** @type {Scene} a readable number of runs around the first evidence */
function runs(trace, finding, tasks, moment) {
  const counts = new TaskCountTrack(trace, trace.sideOfFinding(finding));
  const start = trace.tasks.list[tasks[0]].steps.find((step) => step.awaits < 0);
  const rows = finding.code.length ? trace.relations.itemsOfCode(finding.code[0]) : [];
  if (!start || rows.length < RUNS_SHOWN) return { ...moment, tracks: [counts, ...moment.tracks] };
  const { begin, end } = trace.items, at = lowerBound(Float64Array.from(rows, (row) => begin[row]), start.begin);
  const first = Math.max(0, Math.min(at, rows.length - RUNS_SHOWN));
  return { from: begin[rows[first]], to: end[rows[first + RUNS_SHOWN - 1]], tracks: [counts, ...moment.tracks] };
}

/** @type {Scene} the whole finding: the number of tasks rises and falls */
function explosion(trace, finding, tasks, moment) {
  const counts = new TaskCountTrack(trace, trace.sideOfFinding(finding));
  return { from: finding.begin, to: finding.end,
    tracks: [counts, ...lanes(trace, tasks.slice(0, 2)), ...moment.tracks] };
}

/** The parts of the first task's life that are in the interval. */
function firstLane(/** @type {Focus} */ { from, to, tracks }) {
  const pieces = tracks.flatMap((track) => track instanceof TaskTrack ? [track.pieces] : [])[0] || [];
  return pieces.filter((piece) => piece.to > from && piece.from < to);
}

/** The waits of a list of pieces, each with the run after it. */
function turnsIn(/** @type {Piece[]} */ pieces) {
  return pieces.map((piece, i) => ({ wait: piece, run: pieces[i + 1] }))
    .filter(({ wait, run }) => wait.what !== 'run' && run && run.what === 'run');
}

/** @returns {TaskCountTrack | undefined} */
function countTrack(/** @type {Focus} */ { tracks }) {
  return tracks.flatMap((track) => track instanceof TaskCountTrack ? track : [])[0];
}

/**
 * The functions for the callouts of tasks.
 * @type {Record<'unresumed' | 'actorHop' | 'actorWait' | 'mostTasks' | 'shortTasks', CalloutFunction>}
 */
export const TASK_CALLOUTS = {
  unresumed(trace, finding, focus) {
    const never = firstLane(focus).find((piece) => piece.what === 'never resumed');
    return !never ? [] : [{ from: never.from, to: never.to,
      text: `not resumed for ${formatDuration(never.to - never.from)}` }];
  },
  actorHop(trace, finding, focus) {
    const pair = median(turnsIn(firstLane(focus)).filter(({ run }) => run.to > run.from), ({ wait }) => lengthOf(wait));
    return !pair ? [] : [{ from: pair.wait.from, to: pair.run.to,
      text: `${formatDuration(pair.wait.to - pair.wait.from)} to switch, `
        + `for ${formatDuration(pair.run.to - pair.run.from)} of work` }];
  },
  actorWait(trace, finding, { from, to, tracks }) {
    const inside = tracks.flatMap((track) => track instanceof TaskTrack ? turnsIn(track.pieces) : [])
      .filter(({ wait, run }) => wait.what === 'actor' && wait.from >= from && run.to <= to)
      .sort((a, b) => lengthOf(b.wait) - lengthOf(a.wait));
    return inside.slice(0, 1).map(({ wait, run }) => ({ from: wait.from, to: wait.to,
      text: `waits ${formatDuration(wait.to - wait.from)}, then runs for ${formatDuration(run.to - run.from)}` }));
  },
  mostTasks(trace, finding, focus) {
    const counts = countTrack(focus);
    return !counts ? [] : [{ from: counts.most.time, to: counts.most.time,
      text: `${plural(counts.most.count, 'task')} at once` }];
  },
  shortTasks(trace, finding, focus) {
    const { from, to } = focus;
    return !countTrack(focus) ? []
      : [{ from, to, text: `${formatCount(RUNS_SHOWN)} of them run in ${formatDuration(to - from)}` }];
  },
};
