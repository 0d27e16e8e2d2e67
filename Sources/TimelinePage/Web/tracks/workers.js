// libdispatch's workers over time: pale for all workers, blue-grey for workers that run items, hatched for blocked
// workers. The dashed line is the number of processors. Workers above the line compete for processors. When all workers
// are hatched, the pool makes no progress.

import { addTrackKind, Track } from '../picture/track.js';
import { DepthSeries, Steps } from '../trace/depth.js';
import { Intervals } from '../trace/intervals.js';
import { THREADS } from './thread.js';
import { formatCount, formatPoint, plural } from '../units.js';

/** Shorter times without a processor do not block a pool. In nanoseconds. */
const SHORTEST_BLOCK = 1e6;

export class WorkersTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {Side} */ side) {
    super(trace, 'workers' + side.name, 'Workers');
    this.workers = workersOf(trace, side);
    this.peak = Math.max(1, this.workers.count, this.workers.alive.peak(), this.workers.running.peak());
    this.subtitle = `up to ${formatCount(this.workers.alive.peak())}`
      + (this.workers.count ? ` for ${plural(this.workers.count, 'processor')}` : '');
  }

  get height() { return 62; }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { workers, peak } = this, base = y + this.height - 5, height = this.height - 12;
    const layer = (/** @type {Series} */ series, /** @type {Fill} */ fill) =>
      p.area(series, { base, height, full: peak, fill, least: 0 });
    layer(workers.alive, p.colours.dim);
    layer(workers.running, p.colours.run);
    layer(workers.blocked, p.colours.paper);
    layer(workers.blocked, p.hatch(p.colours.blocked));
    if (!workers.count) return;
    p.dashedLine(base - workers.count / peak * height, p.colours.strong);
  }

  /** Draws the scale and the key of the shades. */
  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {
    const base = y + this.height - 5, height = this.height - 12, right = p.view.left - 8;
    p.text(formatCount(this.peak), right, base - height + 4, p.colours.faint, { align: 'right' });
    if (this.workers.count && this.workers.count / this.peak < 0.8) {
      p.text(formatCount(this.workers.count), right, base - this.workers.count / this.peak * height, p.colours.faint,
        { align: 'right' });
    }
    p.key([['exist', p.colours.dim], ['run', p.colours.run], ['blocked', p.hatch(p.colours.blocked)]], y + 42);
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const time = view.time(x), { count, alive, active, running, blocked } = this.workers;
    return { row: -1, extent: [time - 50000, time + 50000], describe: () => ({ title: 'Workers', facts: [
      ['at', formatPoint(time)], ['exist', formatCount(alive.at(time))],
      active ? ['not parked', formatCount(active.at(time))] : null, ['run an item', formatCount(running.at(time))],
      ['blocked in one', formatCount(blocked.at(time))], count ? ['processors', formatCount(count)] : null] }) };
  }
}

/**
 * libdispatch's workers over time, and the number of processors.
 * Returns { count, alive, active, running, blocked }: the number of processors (0 for unknown), and series with `at`,
 *   `sample` and `peak`: workers that exist, workers that are not parked (null when the trace has no such events),
 *   workers that run items, and workers that are blocked in an item (see blockedAtWork)
 */
export function workersOf(/** @type {Trace} */ trace, /** @type {Side} */ side) {
  return trace.once('workers' + side.name, () => {
    const threads = trace.threads.map((entry, thread) => ({ entry, thread }))
      .filter(({ entry, thread }) => entry.worker && side.hasThread(thread));
    const depth = (/** @type {(thread: number) => Intervals} */ intervalsOf) => {
      const begins = [], ends = [];
      for (const { thread } of threads) {
        const intervals = intervalsOf(thread);
        // Nested intervals count once, because a worker runs one item at a time.
        for (let i = 0, until = -Infinity; i < intervals.length; i++) {
          if (intervals.ends[i] <= until) continue;
          begins.push(Math.max(until, intervals.begins[i]));
          ends.push(until = intervals.ends[i]);
        }
      }
      return new DepthSeries(Float64Array.from(begins), Float64Array.from(ends));
    };
    return { count: side.facts.processors, ...poolOf(side, threads.map(({ entry }) => entry)),
      running: depth((thread) => trace.work(thread)), blocked: depth((thread) => blockedAtWork(trace, thread)) };
  });
}

/**
 * When a thread was blocked in an item: in recorded waits (a sync, a lock, a group, a semaphore), and in system calls,
 * during which it has no processor and is not preempted.
 */
function blockedAtWork(/** @type {Trace} */ trace, /** @type {number} */ thread) {
  const waits = trace.blocked(thread), off = trace.processors.off(thread), work = trace.work(thread);
  const found = [];
  for (let i = 0; i < waits.length; i++) found.push([waits.begins[i], waits.ends[i]]);
  for (let i = 0; i < off.length; i++) {
    if (off.isPreempted[i] || off.ends[i] - off.begins[i] < SHORTEST_BLOCK) continue;
    const [first, last] = work.range(off.begins[i], off.ends[i]);
    for (let at = first; at < last; at++) {
      const begin = Math.max(off.begins[i], work.begins[at]), end = Math.min(off.ends[i], work.ends[at]);
      if (end > begin) found.push([begin, end]);
    }
  }
  found.sort((a, b) => a[0] - b[0]);
  return Intervals.of(found, ([begin]) => begin, ([, end]) => end);
}

function poolOf(/** @type {Side} */ side, /** @type {ThreadRow[]} */ threads) {
  const { resolution, time, most, last } = side.workers, { end } = side.facts;
  if (!time.length) {
    // Without the events of the pool: from the first event of each worker to its end.
    return { active: null, alive: Steps.count(threads.map((entry) => entry.start),
      threads.map((entry) => entry.end >= 0 ? entry.end : end)) };
  }
  const series = (/** @type {'alive' | 'active'} */ key) => {
    const times = [], values = [];
    for (let i = 0; i < time.length; i++) {
      times.push(time[i]);
      values.push(most[key][i]);
      if (most[key][i] === last[key][i]) continue;
      times.push(Math.min(time[i] + resolution, i + 1 < time.length ? time[i + 1] : end));
      values.push(last[key][i]);
    }
    // The numbers are unknown after the end of the trace.
    return new Steps([...times, end], [...values, 0]);
  };
  return { alive: series('alive'), active: series('active') };
}

addTrackKind({
  section: THREADS,
  place: 31,
  tracks: (list, side) => {
    const track = list.once('workers' + side.name, () => new WorkersTrack(list.trace, side));
    return track.workers.alive.peak() < 1 ? [] : list.shown([track]);
  },
});
