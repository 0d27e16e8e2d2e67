// The number of tasks: pale for all tasks, amber for tasks that are ready and wait for a thread or an actor, blue-grey
// for running tasks. Amber above the number of processors is work that was created before a thread could run it.

import { addTrackKind, Track } from '../picture/track.js';
import { sortTimes } from '../trace/columns.js';
import { DepthSeries } from '../trace/depth.js';
import { piecesOf, TASKS } from './task.js';
import { formatCount, formatPoint } from '../units.js';

export class TaskCountTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {Side} */ side) {
    super(trace, 'task count' + side.name, 'Number of tasks');
    this.side = side;
  }

  /** Computed only when the row is visible, because a trace can have a hundred thousand tasks. */
  get counts() { return countsOf(this.trace, this.side); }
  get peak() { return Math.max(1, this.counts.alive.peak()); }

  get height() { return 62; }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { peak } = this, { alive, ready, running } = this.counts;
    const base = y + this.height - 5, height = this.height - 12;
    const layer = (/** @type {Series} */ series, /** @type {Fill} */ fill) =>
      p.area(series, { base, height, full: peak, fill, least: 0 });
    layer(alive, p.colours.dim);
    layer(ready, p.colours.wait);
    layer(running, p.colours.run);
  }

  drawMargin(/** @type {Painter} */ p, /** @type {number} */ y) {
    p.text(formatCount(this.peak), p.view.left - 8, y + 11, p.colours.faint, { align: 'right' });
    p.key([['exist', p.colours.dim], ['ready', p.colours.wait], ['run', p.colours.run]], y + 42);
  }

  /** @type {(p: Painter, y: number, fold: string, height: number) => void} */
  drawLabel(p, y, fold, height) {
    this.subtitle = `up to ${formatCount(this.peak)}`;
    super.drawLabel(p, y, fold, height);
  }

  /** The time with the most tasks: { time, count } */
  get most() {
    const { begins, ends } = this.counts;
    let best = { time: 0, count: 0 };
    for (let i = 0, over = 0; i < begins.length; i++) {
      while (over < ends.length && ends[over] <= begins[i]) over++;
      if (i + 1 - over > best.count) best = { time: begins[i], count: i + 1 - over };
    }
    return best;
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const time = view.time(x), { alive, ready, running } = this.counts;
    return { row: -1, extent: [time - 50000, time + 50000], describe: () => ({ title: 'Number of tasks', facts: [
      ['at', formatPoint(time)], ['exist', formatCount(alive.at(time))],
      ['ready to run', formatCount(ready.at(time) - running.at(time))], ['run', formatCount(running.at(time))]] }) };
  }
}

/** The counts of the page's tasks over time; `ready` includes running tasks. */
function countsOf(/** @type {Trace} */ trace, /** @type {Side} */ side) {
  return trace.once('task counts' + side.name, () => {
    const own = trace.tasks.list.map((_, position) => position)
      .filter((position) => trace.tasks.isOfSide(position, side));
    const lives = own.map((position) => trace.tasks.list[position])
      .map(({ created, end }) => ({ from: created, to: end }));
    const pieces = own.flatMap((position) => piecesOf(trace, position));
    const running = pieces.filter(({ what }) => what === 'run');
    const ready = pieces.filter(({ what }) => what === 'actor' || what === 'thread').concat(running);
    const begins = times(lives, 'from'), ends = times(lives, 'to');
    return { begins, ends, alive: new DepthSeries(begins.slice(), ends.slice()),
      ready: new DepthSeries(times(ready, 'from'), times(ready, 'to')),
      running: new DepthSeries(times(running, 'from'), times(running, 'to')) };
  });
}

/** The sorted times of one key. */
function times(/** @type {TimeRange[]} */ list, /** @type {'from' | 'to'} */ key) {
  return sortTimes(Float64Array.from(list, (entry) => entry[key]));
}

addTrackKind({
  section: TASKS,
  place: 25,
  tracks: (list, side) => {
    const has = list.trace.tasks.list.some((_, position) => list.trace.tasks.isOfSide(position, side));
    return has ? list.shown([list.once('task count' + side.name, () => new TaskCountTrack(list.trace, side))]) : [];
  },
});
