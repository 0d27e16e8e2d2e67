// Objects that can be under the pointer or selected, when several kinds of tracks share them. Others are in the file of
// their track.

import { lowerBound } from '../trace/columns.js';
import { UNFINISHED } from '../trace/decoder.js';
import { MARK_KINDS, QOS_CLASSES, WAIT_OBJECTS } from '../trace/vocabulary.js';
import { formatCount, formatDuration, formatPoint, printable } from '../units.js';

/**
 * @typedef {object} Hit
 * @property {number} row an item's row; -1 for anything else
 * @property {number[]} extent begin and end: the interval that is framed, and to which a range snaps
 * @property {number} [task] the position of the task that it belongs to; without it, the task of `row`
 * @property {Piece} [piece] the part of a task's life
 * @property {() => { title: string, facts: (string[] | null)[] }} describe the text of the tooltip and the details
 */

const QOS_NAMES = new Map(QOS_CLASSES.map(({ value, title }) => [value, title]));

export function itemHit(/** @type {Trace} */ trace, /** @type {number} */ row) {
  const { items } = trace;
  return { row, extent: [items.enqueued[row], items.end[row]], describe: () => describeItem(trace, row) };
}

function describeItem(/** @type {Trace} */ trace, /** @type {number} */ row) {
  const { items } = trace, shape = trace.shapeOf(row);
  const wait = items.begin[row] - items.enqueued[row], by = items.handedOverBy.get(row);
  const source = shape.source >= 0 ? trace.meta.sources[shape.source] : null;
  return { title: trace.labels.item(row), facts: [
    ['code', printable(trace.codeOf(row))],
    source ? ['source', `${source.type} ${source.handle || ''}`] : null,
    ['ran on', trace.labels.thread(items.thread[row])],
    wait > 0 ? ['enqueued at', formatPoint(items.enqueued[row])] : null, ['began at', formatPoint(items.begin[row])],
    wait > 0 ? ['waited', formatDuration(wait)] : null,
    ['ran for', formatDuration(items.end[row] - items.begin[row])
      + (shape.flags & UNFINISHED ? ' (the trace ended first)' : '')],
    by !== undefined ? ['handed over by', trace.labels.thread(by)] : null,
    ['QoS', QOS_NAMES.get(shape.qos) || String(shape.qos)]] };
}

export function holdingHit(/** @type {Trace} */ trace,
  /** @type {Holding} */ { lock, thread, code, requested, begin, end }) {
  return { row: -1, extent: [requested, end], describe: () => ({ title: 'Lock held', facts: [
    ['lock', trace.labels.lock(lock)], ['thread', trace.labels.thread(thread)], ['code', trace.labels.code(code)],
    ['asked at', formatPoint(requested)], ['waited', formatDuration(begin - requested)],
    ['held', formatDuration(end - begin)]] }) };
}

/** The hit for a cause from `trace.blocked`: an item, a lock or a wait. */
export function blockedHit(/** @type {Trace} */ trace, /** @type {number} */ cause) {
  const { row, wait, holding } = trace.blockedBy(cause);
  return holding ? holdingHit(trace, holding) : wait ? waitHit(trace, wait) : itemHit(trace, row);
}

function waitHit(/** @type {Trace} */ trace, /** @type {Wait} */ wait) {
  const { kind, thread, code, waiter, begin, end, flags, signaller, signalCode } = wait;
  // The waits for queues and locks that ended are in the items and the holds of locks.
  const { name, title } = WAIT_OBJECTS[kind], isOpen = name === 'queue' || name === 'lock';
  const state = isOpen ? 'Still waiting' : 'Waited';
  return { row: -1, extent: [begin, end], describe: () => ({ title: `${state} for a ${title}`, facts: [
    ['for', trace.labels.waitObject(wait)], ['thread', trace.labels.thread(thread)],
    waiter >= 0 ? ['in', trace.labels.item(waiter)] : null, ['code', trace.labels.code(code)],
    ['from', formatPoint(begin)], ['waited', formatDuration(end - begin)],
    flags & 1 ? ['result', 'timed out'] : null,
    signaller >= 0 ? ['ended by', trace.labels.thread(signaller)
      + (signalCode > 0 ? `, at ${trace.labels.code(signalCode)}` : '')] : null] }) };
}

/** The nearest mark within 7 pixels; null without one. */
export function markAt(/** @type {Trace} */ trace, /** @type {Mark[]} */ marks, /** @type {Viewport} */ view,
  /** @type {number} */ x) {
  let best = null, distance = 7;
  for (const mark of marks) {
    const away = Math.abs(view.x(mark.time) - x);
    if (away < distance) { best = mark; distance = away; }
  }
  if (!best) return null;
  const { kind, source, thread, code, time, activated, activationCode } = best, queue = trace.queueOfMark(best);
  const { type, handle } = source >= 0 ? trace.meta.sources[source] : { type: '', handle: '' };
  return { row: -1, extent: [activated >= 0 ? activated : time - 20000, time + 1000], describe: () => ({
    title: MARK_KINDS[kind].title, facts: [
      source >= 0 ? ['source', `${type} ${handle || ''}`] : null,
      queue >= 0 ? ['queue', trace.labels.queue(queue)] : null,
      ['thread', trace.labels.thread(thread)], ['code', trace.labels.code(code)], ['at', formatPoint(time)],
      activated >= 0 ? ['activated at', formatPoint(activated)] : null,
      activationCode > 0 ? ['activated by', trace.labels.code(activationCode)] : null] }) };
}

/** The number of items that were left out of a queue or thread at a place; null where every item is present. */
export function leftOutHit(/** @type {Intervals} */ intervals, /** @type {LeftOutBins | undefined} */ series,
  /** @type {Viewport} */ view, /** @type {number} */ x) {
  const { leftOut } = intervals, time = view.time(x);
  if (!leftOut || !series || leftOut.at(time) <= 0) return null;
  const { width } = leftOut, bin = Math.floor(time / width), at = lowerBound(series.bins, bin);
  const items = series.bins[at] === bin ? series.items[at] : 0, from = bin * width, to = from + width;
  return { row: -1, extent: [from, to], describe: () => ({ title: 'Left out of this file', facts: [
    ['items', formatCount(items)], ['began from', formatPoint(from)], ['to', formatPoint(to)],
    ['at a time', leftOut.at(time).toFixed(2) + ' on average'],
    ['why', 'to keep this file within its size limit (--budget)']] }) };
}

/**
 * The position of the last interval that began at or before the pointer, within three pixels; -1 without one. An
 * interval on the lane is preferred.
 * @returns {number}
 */
export function intervalAt(/** @type {Intervals | Union} */ intervals, /** @type {Viewport} */ view,
  /** @type {number} */ x, lane = -1) {
  const slack = 3 * view.scale, time = view.time(x), lanes = 'lanes' in intervals ? intervals.lanes : null;
  const [first, last] = intervals.range(time - slack, time + slack);
  let best = -1, distance = Infinity;
  for (let i = Math.max(first, last - 2000); i < last; i++) {
    if (lane >= 0 && lanes && lanes.lane[i] !== lane) continue;
    const away = Math.max(0, intervals.begins[i] - time, time - intervals.ends[i]);
    if (away <= slack && away <= distance) { best = i; distance = away; }
  }
  return best < 0 && lane >= 0 ? intervalAt(intervals, view, x) : best;
}
