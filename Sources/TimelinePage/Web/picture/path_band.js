// Draws paths over the rows of their threads: the causal path of the selected item, and the critical path of the run.

import { THREAD_RUN } from './track.js';
import { lowerBound } from '../trace/columns.js';

const LINES_APART = 10, MOST_STEPS_DRAWN = 3000;

/** Draws a band along the threads of a path's segments, and lines between the threads. */
export function drawPath(/** @type {Painter} */ p, /** @type {PathSegment[]} */ segments,
  /** @type {ArrowPlaces} */ places) {
  const { view } = p;
  let before = null, lineAt = -Infinity;
  for (const segment of segments) {
    const y = places.threads.get(segment.thread);
    if (y === undefined) { before = null; continue; }
    const [left, right] = view.clipped(segment.from, segment.to), top = y + THREAD_RUN / 2 - 2;
    if (right >= left) {
      if (segment.kind === 'run') p.rect(left, top, Math.max(1, right - left), 4, p.colours.mark);
      else for (let dot = left; dot < right; dot += 5) p.rect(dot, top + 1, 2.5, 2, p.colours.mark);
      if (before !== null && Math.abs(before - top) > 1) {
        // Opaque lines every few pixels would hide the rows below.
        const upper = Math.min(before, top) + 2, length = Math.abs(before - top);
        p.faded(left - lineAt < LINES_APART ? 0.3 : 1, () => p.rect(left - 0.5, upper, 1.4, length, p.colours.mark));
        lineAt = left;
      }
    }
    before = top;
  }
}

/** The steps of a run's path in the view. */
function stepsInView(/** @type {Trace} */ trace, /** @type {Side} */ side, /** @type {Viewport} */ view) {
  const { segments } = side.criticalPath || { segments: [] };
  const { begins, ends } = trace.once('path times' + side.name, () => ({
    begins: Float64Array.from(segments, (segment) => segment.from),
    ends: Float64Array.from(segments, (segment) => segment.to) }));
  return segments.slice(lowerBound(ends, view.from), lowerBound(begins, view.to));
}

/** Is the path drawn over the threads? Too many steps would hide the rows. */
export function isRunPathDrawn(/** @type {Trace} */ trace, /** @type {Side} */ side, /** @type {Viewport} */ view) {
  return stepsInView(trace, side, view).length <= MOST_STEPS_DRAWN;
}

/** Draws the steps of a run's path in the view over their threads. */
export function drawRunPath(/** @type {Painter} */ p, /** @type {Trace} */ trace, /** @type {Side} */ side,
  /** @type {ArrowPlaces} */ places) {
  const steps = stepsInView(trace, side, p.view);
  if (steps.length <= MOST_STEPS_DRAWN) drawPath(p, steps, places);
}
