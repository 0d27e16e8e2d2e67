// The row of a processor, with the program's threads that ran on it. Gaps mean that the processor was idle, ran another
// program, or ran a thread whose switches were not recorded.

import { intervalAt } from '../picture/hits.js';
import { addTrackKind, Track } from '../picture/track.js';
import { gatherTimes, timeOrder } from '../trace/columns.js';
import { BLOCKED, PREEMPTED } from '../trace/decoder.js';
import { Intervals } from '../trace/intervals.js';
import { formatDuration, formatPercent, formatPoint, printable } from '../units.js';

const MOST_OPEN = 8;

/**
 * The intervals on a processor, with the thread and the reason of the end of each.
 * @typedef {Intervals & { threads: Float64Array, endings: Float64Array }} ProcessorSlices
 */

class ProcessorTrack extends Track {
  constructor(/** @type {Trace} */ trace, /** @type {Side} */ side, /** @type {number} */ number,
    /** @type {ProcessorSlices} */ slices) {
    super(trace, 'processor' + side.name + number, `Processor ${number}`);
    this.number = number;
    this.slices = slices;
    const { begin, end } = side.facts;
    let busy = 0;
    // Intervals close together were merged, so they can overlap. Intervals of a part of a trace can extend beyond the
    // part.
    for (let i = 0; i < slices.length; i++) {
      const from = Math.max(begin, slices.begins[i], i ? slices.reach[i - 1] : begin);
      busy += Math.max(0, Math.min(slices.ends[i], end) - from);
    }
    const least = side.facts.hasLimitedSwitches ? 'at least ' : '';
    this.subtitle = `${least}${formatPercent(busy / side.duration)} with this program`;
  }

  draw(/** @type {Painter} */ p, /** @type {number} */ y) {
    const { slices, trace } = this, top = y + 7, height = 14;
    p.barsOrArea(slices, { y: top, height, fill: (i) => p.palette.thread(slices.threads[i]),
      label: (i) => trace.labels.thread(slices.threads[i]) },
    { base: top + height, height, full: 1, fill: p.colours.run });
  }

  hit(/** @type {number} */ x, /** @type {number} */ dy, /** @type {Viewport} */ view) {
    const at = intervalAt(this.slices, view, x);
    return at < 0 ? null : sliceHit(this.trace, this.slices.threads[at], this.number, this.slices.begins[at],
      this.slices.ends[at], this.slices.endings[at]);
  }
}

/** An interval of a thread on a processor. */
export function sliceHit(/** @type {Trace} */ trace, /** @type {number} */ thread, /** @type {number} */ processor,
  /** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ ending) {
  const row = trace.runningOn(thread, from);
  return { row: -1, extent: [from, to], describe: () => ({ title: `On processor ${processor}`, facts: [
    ['thread', trace.labels.thread(thread)], row >= 0 ? ['in', trace.labels.item(row)] : null,
    row >= 0 ? ['code', printable(trace.codeOf(row))] : null,
    ['from', formatPoint(from)], ['for', formatDuration(to - from)],
    ending <= BLOCKED ? ['then', ending === PREEMPTED ? 'pre-empted: it could have continued' : 'waited'] : null] }) };
}

/**
 * The intervals by processor number.
 * @returns {Map<number, ProcessorSlices>}
 */
export function slicesByProcessor(/** @type {Trace} */ trace, /** @type {Side} */ side) {
  /** @type {Map<number, Record<'begins' | 'ends' | 'threads' | 'endings', number[]>>} */
  const lists = new Map();
  for (const [thread, { begin, end, ending, processor }] of trace.slices.threads) {
    if (!side.hasThread(thread)) continue;
    for (let i = 0; i < begin.length; i++) {
      if (processor[i] < 0) continue;
      const list = lists.get(processor[i]) || { begins: [], ends: [], threads: [], endings: [] };
      lists.set(processor[i], list);
      list.begins.push(begin[i]);
      list.ends.push(end[i]);
      list.threads.push(thread);
      list.endings.push(ending[i]);
    }
  }
  return new Map([...lists].sort((a, b) => a[0] - b[0]).map(([processor, { begins, ends, threads, endings }]) => {
    const order = timeOrder(Float64Array.from(begins)),
      column = (/** @type {number[]} */ values) => gatherTimes(Float64Array.from(values), order);
    return [processor, Object.assign(new Intervals(column(begins), column(ends)), { threads: column(threads),
      endings: column(endings) })];
  }));
}

/** @type {(list: TrackList, side: Side) => Track[]} */
const processorTracks = (list, side) => list.shown(list.once('processors' + side.name, () =>
  [...slicesByProcessor(list.trace, side)].map(([number, slices]) =>
    new ProcessorTrack(list.trace, side, number, slices))));

addTrackKind({
  section: { key: 'processors', title: 'Processors', note: ({ trace: { slices: { resolution } } }) =>
    'threads that ran on them' + (resolution ? `; gaps shorter than ${formatDuration(resolution)} may be closed` : ''),
    startsFolded: (list, side) => list.trace.sides.length > 1 || processorTracks(list, side).length > MOST_OPEN },
  place: 40,
  tracks: processorTracks,
});
