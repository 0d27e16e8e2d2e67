// Labelled brackets in the picture: one or two intervals of a finding's clearest moment that show its cost.

import { enqueuedAt, extentAt, marksOf } from './evidence.js';
import { TASK_CALLOUTS } from './task_focus.js';
import { lowerBound, median } from '../trace/columns.js';
import { BARRIER } from '../trace/decoder.js';
import { DomainTrack } from '../tracks/domain.js';
import { OverlapTrack } from '../tracks/overlap.js';
import { workersOf } from '../tracks/workers.js';
import { formatCount, formatDuration, plural } from '../units.js';

/**
 * The function for each callout of a finding's focus.
 * @type {Record<FocusCallout, CalloutFunction>}
 */
const CALLOUTS = {
  ...TASK_CALLOUTS, longest: longestCallouts, handOff: handOffCallouts, overlap: overlapCallouts,
  hierarchies: forestCallouts, workers: workersCallouts, starvation: starvationCallouts, lateChange: markCallouts,
  neverBegan: neverCallouts, lateTimer: lateCallouts, bothOrders: orderCallouts, idleThread: idleCallouts,
  barrierWait: barrierCallouts,
};

/** @returns {Callout[]} */
export function calloutsOf(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {Focus} */ focus) {
  // The finding's own callout may be outside of the interval that was chosen for it: try the next function.
  for (const each of [CALLOUTS[finding.focus.callout], longestCallouts, wholeCallouts]) {
    const inside = each(trace, finding, focus).filter((callout) => callout && callout.to >= focus.from
      && callout.from <= focus.to);
    if (inside.length) return inside;
  }
  return [];
}

/** @type {(trace: Trace, finding: Finding, view: TimeRange) => Callout[]} */
function wholeCallouts(trace, finding, { from, to }) {
  const text = finding.cost > 0 ? `${formatDuration(finding.cost)} lost in total` : 'here';
  return [{ from: Math.max(from, finding.begin), to: Math.min(to, finding.end), text }];
}

/**
 * The hand-off of median length, with the time that it took and the time of the work after it.
 * @type {CalloutFunction}
 */
function handOffCallouts(trace, finding, { from, to, tracks }) {
  const [track] = tracks;
  if (!(track instanceof DomainTrack)) return longestCallouts(trace, finding, { from, to });
  const { domain } = track, { begins, ends } = domain.all, steps = [];
  for (let i = Math.max(1, lowerBound(begins, from)); i < domain.count && begins[i] < to; i++) {
    if (domain.isHandoff(i) && begins[i] > ends[i - 1]) steps.push(i);
  }
  const gap = (/** @type {number} */ step) => begins[step] - ends[step - 1], i = median(steps, gap);
  return i === undefined ? [] : [{ from: ends[i - 1], to: begins[i],
    text: `${formatDuration(gap(i))} to wake the next thread, for ${formatDuration(ends[i] - begins[i])} of work` }];
}

/** @type {CalloutFunction} the interval in which the most handlers run at once */
function overlapCallouts(trace, finding, { from, to, tracks }) {
  const [group] = tracks;
  if (!(group instanceof OverlapTrack)) return [];
  const { together } = group, [first, last] = together.range(from, to), open = [];
  let best = null;
  for (let i = first; i < last; i++) {
    const begin = together.begins[i];
    for (let at = open.length - 1; at >= 0; at--) if (open[at] <= begin) open.splice(at, 1);
    open.push(together.ends[i]);
    const end = Math.min(...open);
    if (open.length > 1 && (!best || open.length > best.count || (open.length === best.count
      && end - begin > best.to - best.from))) best = { count: open.length, from: begin, to: end };
  }
  return best ? [{ ...best, text: `${best.count} threads at once` }] : [];
}

/** @type {CalloutFunction} how many of the hierarchies run items in the view */
function forestCallouts(trace, finding, { from, to }) {
  const trees = new Set(finding.queues), active = /** @type {Set<number>} */ (new Set());
  for (const queue of trace.groupOf.keys()) {
    const tree = trace.queues[queue] ? trace.queues[queue].exclusion : -1;
    if (!trees.has(tree)) continue;
    if (trace.running(queue).count(from, to) > 0) active.add(tree);
  }
  return active.size > 1
    ? [{ from, to, text: `${formatCount(active.size)} of ${formatCount(trees.size)} hierarchies have work` }] : [];
}

/** @type {CalloutFunction} */
function workersCallouts(trace, finding) {
  const { count, alive } = workersOf(trace, trace.sideOfFinding(finding)), [first] = finding.evidence;
  if (!first || !count) return [];
  return [{ from: first.time, to: first.time,
    text: `${plural(Math.round(alive.at(first.time)), 'worker')} for ${plural(count, 'processor')}` }];
}

/** @type {CalloutFunction} */
function starvationCallouts(trace, finding) {
  // Several episodes have pauses between them, so the bracket is longer than their sum.
  const episodes = finding.occurrences > 1 ? ` in ${plural(finding.occurrences, 'episode')}` : '';
  return [{ from: finding.begin, to: finding.end,
    text: `no worker is free for ${formatDuration(finding.cost)}${episodes}` }];
}

/** @type {CalloutFunction} the longest time from an activation to the change that came after it */
function markCallouts(trace, finding) {
  const late = marksOf(trace, finding).filter((mark) => mark.activated >= 0)
    .sort((a, b) => (b.time - b.activated) - (a.time - a.activated));
  return late.slice(0, 1).map(({ activated, time }) => ({ from: activated, to: time,
    text: `changed ${formatDuration(time - activated)} too late` }));
}

/**
 * From the end of the last iteration of the first thread that became idle to the end of the last iteration of all.
 * @type {CalloutFunction}
 */
function idleCallouts(trace, finding, { from, to }) {
  const { begin, end, thread } = trace.items, ready = /** @type {Map<number, number>} */ (new Map());
  let last = -Infinity;
  for (const code of finding.code) {
    for (const row of trace.relations.itemsOfCode(code)) {
      if (trace.kindOf(row) !== 'apply' || begin[row] < from || end[row] > to) continue;
      ready.set(thread[row], Math.max(ready.get(thread[row]) || 0, end[row]));
      last = Math.max(last, end[row]);
    }
  }
  const first = Math.min(...ready.values());
  return ready.size > 1 && last > first ? [{ from: first, to: last,
    text: `one of ${plural(ready.size, 'thread')} idle for ${formatDuration(last - first)}` }] : [];
}

/** @type {CalloutFunction} the longest wait in the view for a barrier, or by a barrier */
function barrierCallouts(trace, finding, { from, to }) {
  const { enqueued, begin } = trace.items;
  let best = -1;
  for (const queue of finding.queues) {
    if (!trace.queues[queue]) continue;
    const waiting = trace.waiting(queue), [first, last] = waiting.range(from, to);
    for (let i = first; i < last; i++) {
      const row = waiting.row(i);
      if (best < 0 || begin[row] - enqueued[row] > begin[best] - enqueued[best]) best = row;
    }
  }
  if (best < 0) return longestCallouts(trace, finding, { from, to });
  const isBarrier = trace.shapeOf(best).flags & BARRIER;
  return [{ from: enqueued[best], to: begin[best], text: `a ${isBarrier ? 'writer' : 'reader'} waits `
    + `${formatDuration(begin[best] - enqueued[best])}` }];
}

/** @type {CalloutFunction} the item that waited longest and never began, of the finding's queues */
function neverCallouts(trace, finding, focus) {
  const waits = finding.queues.filter((queue) => trace.queues[queue]).flatMap((queue) => trace.pendingOfQueue(queue));
  const [first] = waits.sort((a, b) => (b.until - b.enqueued) - (a.until - a.enqueued));
  return first ? [{ from: first.enqueued, to: first.until,
    text: `enqueued, and not begun after ${formatDuration(first.until - first.enqueued)}` }]
    : longestCallouts(trace, finding, focus);
}

/** @type {CalloutFunction} the longest item that ran on the queue when a late timer was due */
function lateCallouts(trace, finding) {
  const { begin, end } = trace.items;
  let best = -1;
  for (const { time } of finding.evidence) {
    for (const queue of finding.queues) {
      if (!trace.queues[queue]) continue;
      const running = trace.running(queue), i = lowerBound(running.begins, time - 0.5) - 1;
      if (i < 0) continue;
      const row = running.row(i);
      if (best < 0 || end[row] - begin[row] > end[best] - begin[best]) best = row;
    }
  }
  return best < 0 ? [] : [{ from: begin[best], to: end[best],
    text: `${trace.labels.bar(best)} occupies the queue for ${formatDuration(end[best] - begin[best])}` }];
}

/** @type {CalloutFunction} the place of each of the two orders */
function orderCallouts(trace, finding) {
  return finding.evidence.slice(0, 2).map((entry, number) => {
    const [from, to] = extentAt(trace, finding, entry);
    return { from, to, text: number ? 'the other order' : 'one order' };
  });
}

/**
 * The longest wait of the evidence, otherwise the longest item.
 * @type {(trace: Trace, finding: Finding, view: TimeRange) => Callout[]}
 */
function longestCallouts(trace, finding, { from, to }) {
  let best = null;
  for (const { thread, time } of finding.evidence) {
    if (!trace.threads[thread]) continue;
    const enqueued = enqueuedAt(trace, finding, time);
    if (enqueued >= 0) {
      const { begin, end } = trace.items;
      if (best || begin[enqueued] - time < end[enqueued] - begin[enqueued] || time < from) continue;
      best = { from: time, to: begin[enqueued], text: `waits ${formatDuration(begin[enqueued] - time)}, then runs for `
        + formatDuration(end[enqueued] - begin[enqueued]) };
      continue;
    }
    const blocked = trace.blocked(thread), row = trace.runningOn(thread, time);
    const [begin, end] = row < 0 ? [time, time + 1] : [trace.items.begin[row], trace.items.end[row]];
    const [first, last] = blocked.range(begin, end);
    for (let i = first; i < last; i++) {
      const length = blocked.ends[i] - blocked.begins[i];
      if (blocked.begins[i] > to || blocked.ends[i] < from || (best && length <= best.to - best.from)) continue;
      best = { from: blocked.begins[i], to: blocked.ends[i], text: `blocked for ${formatDuration(length)}` };
    }
    if (!best && row >= 0 && begin <= to && end >= from) {
      best = { from: begin, to: end, text: `runs for ${formatDuration(end - begin)}` };
    }
  }
  return best ? [best] : [];
}
