// Arrows of the selected task across the threads that it ran on. A blue arrow starts where the task was created or
// resumed. A vermilion arrow starts where the actor that the task waited for was released.
//
//   thread 1   ███ creates ╲                                     ██ resumes ╲
//   thread 2                ╲▓▓ run ▓▓                                       ╲▓▓ run ▓▓
//   lane       ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒███████▒▒▒▒▒▒▒▒▒▒▒▒▒▒ a continuation ▒▒▒▒▒▒▒▒▒▒▒▒▒███████

import { FRAME_HEIGHT } from './painter.js';
import { lowerBound } from '../trace/columns.js';

const MOST_ARROWS = 60;

/**
 * Draws the arrows of a task.
 * @param lane the position of the task's own lane: arrows end there when the thread's row is not visible
 * @param known the begin of an item whose own arrow is already drawn; NaN for none
 */
export function drawTask(/** @type {Painter} */ p, /** @type {Trace} */ trace, /** @type {number} */ position,
  /** @type {ArrowPlaces} */ places, /** @type {number} */ lane, /** @type {number} */ known) {
  const { view } = p, { steps, created, creator } = trace.tasks.list[position];
  // Steps are in the order of time and do not overlap.
  let first = steps.findIndex((step) => step.end >= view.from), last = steps.length;
  if (first < 0) first = Math.max(0, steps.length - 1);
  while (last > first && steps[last - 1].begin > view.to) last--;
  const seen = (/** @type {number} */ thread) => {
    const y = places.threads.get(thread);
    return y !== undefined && places.isSeen(y) ? y : undefined;
  };
  const start = steps.find((step) => step.awaits < 0);
  const target = (/** @type {TaskStep | undefined} */ step) =>
    step && step.awaits < 0 ? seen(step.thread) ?? lane : lane;
  if (creator >= 0 && start && created <= view.to && start.begin >= view.from) {
    arrow(p, seen(creator), created, target(start), start.begin, p.colours.focus, 2);
  }
  if (last - first > MOST_ARROWS * 2) return;
  for (let i = first; i < last; i++) {
    const step = steps[i];
    if (step.awaits < 0) { drawRun(p, seen(step.thread), step, lane); continue; }
    if (step.resumed < 0 || step.end === known) continue;
    const end = target(steps[i + 1]);
    if (step.resumer >= 0) arrow(p, seen(step.resumer), step.resumed, end, step.end, p.colours.focus, 1.6);
    if (step.holder && step.actor >= 0) drawHolder(p, trace, step, seen, end);
  }
}

/** Draws an outline on the thread's row, and a line from there to the lane. */
function drawRun(/** @type {Painter} */ p, /** @type {number | undefined} */ y, /** @type {TaskStep} */ step,
  /** @type {number} */ lane) {
  if (y === undefined) return;
  const left = p.view.x(step.begin), bottom = y + FRAME_HEIGHT / 2;
  p.frameTime(step.begin, step.end, y, p.colours.focus);
  p.faded(0.35, () => p.rect(left - 0.5, Math.min(bottom, lane), 1, Math.abs(lane - bottom), p.colours.focus));
}

/** Draws an arrow from the last release of the actor to the run of the task. */
function drawHolder(/** @type {Painter} */ p, /** @type {Trace} */ trace, /** @type {TaskStep} */ step,
  /** @type {(thread: number) => number | undefined} */ seen, /** @type {number} */ end) {
  const held = trace.running(step.actor), at = lowerBound(held.begins, step.end) - 1;
  if (at < 0 || held.ends[at] < step.resumed || held.ends[at] > step.end + 200) return;
  const from = seen(trace.items.thread[held.row(at)]);
  arrow(p, from, held.ends[at], end, step.end, p.colours.blocked, 1.4);
}

function arrow(/** @type {Painter} */ p, /** @type {number | undefined} */ fromY, /** @type {number} */ from,
  /** @type {number | undefined} */ toY, /** @type {number} */ to, /** @type {string} */ colour,
  /** @type {number} */ width) {
  if (fromY === undefined || toY === undefined) return;
  const { view } = p, left = view.x(from), right = view.x(to);
  // An arrow along a row would cover the row.
  if (Math.abs(fromY - toY) < 1) return;
  p.arrow(left, fromY, right, toY, colour, width, true);
}
