// Selects the rows and the interval that show a finding best. A staircase of two thousand steps is a grey block when
// all of it is in view, so the page first shows an interval in which single steps are visible.

import { enqueuedAt, extentAt, marksOf } from './evidence.js';
import { taskFocus } from './task_focus.js';
import { lowerBound, median } from '../trace/columns.js';
import { BARRIER } from '../trace/decoder.js';
import { Domain, DomainTrack } from '../tracks/domain.js';
import { GROUP_SIZE, OverlapTrack } from '../tracks/overlap.js';
import { QueueTrack } from '../tracks/queue.js';
import { ThreadTrack } from '../tracks/thread.js';
import { WorkersTrack } from '../tracks/workers.js';
import { commonLabel } from '../units.js';

const STEPS_SHOWN = 24, ROWS_SHOWN = 12, THREADS_SHOWN = 6, ITEMS_READABLE = 160,
  OVERLAPS_SHOWN = 40, TURNS_SHOWN = 14, AWAITED_SHOWN = 2, TOGETHER = 10e6;

/**
 * The function for each scene of a finding. Scenes of tasks are in task_focus.js.
 * @type {Record<Exclude<FocusScene, TaskScene>, (trace: Trace, finding: Finding) => Focus>}
 */
const SCENES = { moment: momentFocus, handOffs: handOffFocus, overlap: overlapFocus, barriers: barrierFocus,
  hierarchies: forestFocus, lateMutations: momentFocus, lateRetargets: momentFocus };

/** @returns {Focus} */
export function focusOf(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const { scene } = finding.focus;
  const find = scene in SCENES ? SCENES[/** @type {keyof typeof SCENES} */ (scene)] : momentFocus;
  return trace.once('focus ' + finding.id, () => {
    const { from, to, tracks } = taskFocus(trace, finding, () => momentFocus(trace, finding)) || find(trace, finding);
    return { from, to, tracks: tracks.map((track) => track.pinned()) };
  });
}

function handOffFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const tracks = finding.locks.map((lock) => DomainTrack.ofLock(trace, lock));
  const seen = /** @type {Set<number>} */ (new Set());
  for (const queue of finding.queues) {
    const domain = trace.queues[queue] ? trace.queues[queue].exclusion : -1;
    if (domain < 0 || seen.has(domain) || Domain.ofQueue(trace, domain).count === 0) continue;
    seen.add(domain);
    tracks.push(DomainTrack.ofQueue(trace, domain));
  }
  if (!tracks.length) return momentFocus(trace, finding);
  const domain = tracks[0].domain;
  // Find a sequence of hand-offs without a break, within the finding, of median length.
  const inside = (/** @type {number} */ i) =>
    domain.all.begins[i] >= finding.begin && domain.all.ends[i] <= finding.end, found = [];
  for (let steps = STEPS_SHOWN; steps >= 3 && !found.length; steps = steps >> 1) {
    for (let i = 1, run = 0; i < domain.count; i++) {
      run = domain.isHandoff(i) && inside(i) ? run + 1 : 0;
      if (run < steps) continue;
      found.push({ first: i - steps, last: i, span: domain.all.ends[i] - domain.all.begins[i - steps] });
    }
  }
  // Where items were left out, neighbours in the table need not follow each other directly. The intervals around
  // findings have every item.
  const whole = trace.leftOut.isEmpty ? found : found.filter(({ first, last }) => trace.meta.trace.windows.some(
    ([from, to]) => domain.all.begins[first] >= from && domain.all.ends[last] <= to));
  const typical = median(whole.length ? whole : found, ({ span }) => span);
  if (!typical) return { ...episode(trace, finding), tracks };
  const from = domain.all.begins[typical.first], to = domain.all.ends[typical.last];
  tracks[0].arrangeIn(from, to);
  const threads = tracks[0].shown.slice(0, 6).map((lane) => lane.thread);
  return { from, to, tracks: [...tracks, ...threadTracks(trace, threads, from, to)] };
}

function overlapFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const title = commonLabel(finding.queues.map((queue) => trace.labels.queue(queue)));
  const group = new OverlapTrack(trace, title, finding.queues, 'overlap ' + finding.id);
  const { together } = group;
  const { from, to } = densestOverlap(together, finding);
  const busiest = finding.queues.map((queue) => [queue, trace.running(queue).count(from, to)])
    .sort((a, b) => b[1] - a[1]);
  const first = (/** @type {number} */ queue) => {
    const running = trace.running(queue);
    return running.begins[running.range(from, to)[0]];
  };
  // Rows in the order of their turns, which makes the pattern visible.
  const rows = busiest.filter((entry) => entry[1] > 0).slice(0, ROWS_SHOWN).sort((a, b) => first(a[0]) - first(b[0]))
    .map(([queue]) => new QueueTrack(trace, queue));
  return { from, to, tracks: [group, ...rows] };
}

/** The interval of about 40 begins within a finding with the largest share of overlapping time. */
function densestOverlap(/** @type {{ begins: Float64Array, ends: Float64Array }} */ { begins, ends },
  /** @type {Finding} */ finding) {
  const first = lowerBound(begins, finding.begin), last = lowerBound(begins, finding.end + 1);
  const count = Math.min(OVERLAPS_SHOWN, last - first);
  if (count < 2) return { from: finding.begin, to: finding.end };
  // Running sum of the time in which an item overlaps the furthest end so far.
  const overlap = new Float64Array(last - first + 1);
  for (let i = first, reach = -Infinity; i < last; i++) {
    overlap[i - first + 1] = overlap[i - first] + Math.max(0, Math.min(reach, ends[i]) - begins[i]);
    reach = Math.max(reach, ends[i]);
  }
  let best = 0, share = -1;
  for (let i = 0; i + count <= last - first; i++) {
    const span = begins[first + i + count - 1] - begins[first + i];
    const found = (overlap[i + count] - overlap[i]) / Math.max(1, span);
    if (found > share) { best = i; share = found; }
  }
  const from = begins[first + best];
  return { from, to: begins[first + best + count - 1] };
}

/** The shortest interval in which barriers and other items take turns often enough. */
function barrierFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const [queue] = finding.queues.filter((each) => trace.queues[each]);
  const running = queue === undefined ? null : trace.running(queue);
  const moment = momentFocus(trace, finding);
  if (!running || running.length < 3) return moment;
  const barrier = (/** @type {number} */ i) => trace.shapeOf(running.row(i)).flags & BARRIER;
  const first = lowerBound(running.begins, finding.begin), last = lowerBound(running.begins, finding.end + 1);
  let changes = 0, best = null;
  for (let i = first + 1; i < last; i++) {
    if (barrier(i) !== barrier(i - 1)) changes++;
    const start = i - TURNS_SHOWN;
    if (start < first) continue;
    if (start > first && barrier(start) !== barrier(start - 1)) changes--;
    const span = running.ends[i] - running.begins[start];
    if (changes * 2 < TURNS_SHOWN || (best && span >= best.to - best.from)) continue;
    best = { from: running.begins[start], to: running.ends[i] };
  }
  if (!best) return moment;
  const threads = [];
  for (let i = 0; i < trace.threads.length; i++) threads.push(i);
  const uses = (/** @type {number} */ thread) =>
    trace.rowsByThread[thread].some((row) => trace.items.queue[row] === queue);
  return { ...best, tracks: [new QueueTrack(trace, queue),
    ...threadTracks(trace, threads.filter(uses), best.from, best.to)] };
}

/**
 * The shortest interval in which the most hierarchies begin items: at most 10 ms, which is the detector's window, and
 * at most as many items as are readable. Syncs do not count, because they run on the threads of their callers.
 */
function forestFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const { begin, queue } = trace.items, trees = new Set(finding.queues);
  const treeOf = trace.queues.map(({ exclusion }) => trees.has(exclusion) ? exclusion : -1);
  /** @type {Map<number, number>} the number of items of each hierarchy in the interval */
  const counts = new Map();
  /** @type {number[]} */
  const rows = [];
  for (const row of trace.orderByBegin) {
    const isInside = begin[row] >= finding.begin && begin[row] <= finding.end;
    if (isInside && treeOf[queue[row]] >= 0 && !trace.isSync(row)) rows.push(row);
  }
  let best = null, first = 0;
  for (const [last, row] of rows.entries()) {
    const tree = treeOf[queue[row]], from = () => begin[rows[first]], oldest = () => treeOf[queue[rows[first]]];
    const countOf = (/** @type {number} */ each) => counts.get(each) || 0;
    counts.set(tree, countOf(tree) + 1);
    // Drop the oldest item when a later item belongs to the same hierarchy, or when the interval is too long or has too
    // many items.
    while (countOf(oldest()) > 1 || last - first >= ITEMS_READABLE || begin[row] - from() > TOGETHER) {
      counts.set(oldest(), countOf(oldest()) - 1);
      if (!countOf(oldest())) counts.delete(oldest());
      first++;
    }
    const span = begin[row] - from();
    if (best && (counts.size < best.count || (counts.size === best.count && span >= best.span))) continue;
    best = { count: counts.size, span, from: from(), to: begin[row] };
  }
  if (!best || best.count < 2) return momentFocus(trace, finding);
  // A margin keeps the last items visible.
  const margin = Math.max(10000, best.span * 0.1);
  return momentFocus(trace, finding, { from: best.from - margin, to: best.to + margin });
}

function momentFocus(/** @type {Trace} */ trace, /** @type {Finding} */ finding,
  /** @type {TimeRange | null} */ moment = null) {
  const marks = marksOf(trace, finding),
    window = moment || (marks.length ? markWindow(marks) : episode(trace, finding));
  const marked = [...new Set(marks.map((mark) => trace.queueOfMark(mark)))];
  const ran = codeIn(trace, finding, window);
  const known = new Set(marked.length ? marked : finding.queues.concat([...ran.queues]));
  const queues = [...known].filter((queue) => trace.queues[queue]);
  const threads = new Set((marks.length ? marks : finding.evidence).map((entry) => entry.thread));
  for (const thread of ran.threads) threads.add(thread);
  for (const row of awaitedIn(trace, threads, window)) {
    if (!known.has(trace.items.queue[row])) queues.push(trace.items.queue[row]);
    known.add(trace.items.queue[row]);
    threads.add(trace.items.thread[row]);
  }
  /** @type {Track[]} */
  const tracks = [];
  if (finding.focus.showsWorkers) tracks.push(new WorkersTrack(trace, trace.sideOfFinding(finding)));
  if (!marked.length && queues.length >= GROUP_SIZE) {
    const title = commonLabel(queues.map((queue) => trace.labels.queue(queue)));
    tracks.push(new OverlapTrack(trace, title, queues, 'overlap ' + finding.id));
  }
  const most = tracks.length ? THREADS_SHOWN : ROWS_SHOWN;
  tracks.push(...worstQueues(trace, finding, queues, window, most).map((queue) => new QueueTrack(trace, queue)));
  for (const lock of finding.locks) tracks.push(DomainTrack.ofLock(trace, lock));
  return { ...window, tracks: tracks.concat(
    threadTracks(trace, [...threads], window.from, window.to)) };
}

/**
 * The queues of a window when there are more than fit: first the queues of the evidence in the window, then the queues
 * whose items waited longest.
 */
function worstQueues(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {number[]} */ queues,
  /** @type {TimeRange} */ { from, to }, /** @type {number} */ most) {
  if (queues.length <= most) return queues;
  const { enqueued, begin, end } = trace.items;
  /** @type {Map<number, number>} */
  const worst = new Map();
  for (const queue of queues) {
    const group = trace.groupOf.get(queue) || { start: 0, end: 0 };
    let waited = -1;
    for (let row = group.start; row < group.end; row++) {
      if (enqueued[row] > to || end[row] < from) continue;
      waited = Math.max(waited, Math.min(to, begin[row]) - Math.max(from, enqueued[row]));
    }
    if (waited >= 0) worst.set(queue, waited);
  }
  for (const [number, { time, thread }] of finding.evidence.entries()) {
    const asked = enqueuedAt(trace, finding, time), row = asked < 0 ? trace.runningOn(thread, time) : asked;
    if (row < 0 || time < from || time > to || !queues.includes(trace.items.queue[row])) continue;
    worst.set(trace.items.queue[row], Math.max(worst.get(trace.items.queue[row]) || 0, 1e15 - number));
  }
  const ranked = [...worst].sort((a, b) => b[1] - a[1]).map(([queue]) => queue);
  return (ranked.length ? ranked : queues).slice(0, most);
}

/** The items that ended the longest waits of the given threads within a window. */
function awaitedIn(/** @type {Trace} */ trace, /** @type {Set<number>} */ threads,
  /** @type {TimeRange} */ { from, to }) {
  const waits = [];
  for (const thread of threads) {
    if (!trace.threads[thread]) continue;
    const blocked = trace.blocked(thread), [first, last] = blocked.range(from, to);
    for (let i = first; i < Math.min(last, first + 200); i++) {
      const { wait } = trace.blockedBy(blocked.causes[i]);
      if (wait && wait.signallingItem >= 0) waits.push([wait.end - wait.begin, wait.signallingItem]);
    }
  }
  return waits.sort((a, b) => b[0] - a[0]).slice(0, AWAITED_SHOWN).map((entry) => entry[1]);
}

/** The queues and threads that ran the code of a finding within a window. */
function codeIn(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {TimeRange} */ { from, to }) {
  const { begin, end, queue, thread } = trace.items;
  const queues = /** @type {Set<number>} */ (new Set()), threads = /** @type {Set<number>} */ (new Set());
  for (const code of finding.code) {
    const rows = trace.relations.itemsOfCode(code);
    // Rows are in the order of begin. An item that began long before the window and reaches into it is rare.
    for (let i = 0, seen = 0; i < rows.length && begin[rows[i]] <= to && seen < 200; i++) {
      if (end[rows[i]] < from) continue;
      queues.add(queue[rows[i]]);
      threads.add(thread[rows[i]]);
      seen++;
    }
  }
  // With one or two queues, also include the threads that ran on them.
  for (const position of finding.queues.length <= 2 ? finding.queues : []) {
    if (!trace.queues[position]) continue;
    const running = trace.running(position), [first, last] = running.range(from, to);
    for (let i = first; i < Math.min(last, first + 200); i++) threads.add(thread[running.row(i)]);
  }
  return { queues, threads };
}

/** From the activation of the first object to the last late change. */
function markWindow(/** @type {Mark[]} */ marks) {
  const from = Math.min(...marks.map((mark) => mark.activated >= 0 ? mark.activated : mark.time));
  const to = Math.max(...marks.map((mark) => mark.time)), margin = Math.max(10000, (to - from) * 0.1);
  return { from: from - margin, to: to + margin };
}

/**
 * The interval that shows a finding best: the whole finding when its items are readable, otherwise the extent of its
 * evidence (from enqueue to end of the items, and the whole waits), otherwise the first piece of evidence.
 */
function episode(/** @type {Trace} */ trace, /** @type {Finding} */ finding) {
  const extents = finding.evidence.map((entry) => extentAt(trace, finding, entry));
  const whole = [finding.begin, finding.end];
  for (const [from, to] of extents.slice(0, 4).concat([[finding.begin, finding.end]])) {
    if (from >= finding.begin - (finding.end - finding.begin) && to <= finding.end + (finding.end - finding.begin)) {
      whole[0] = Math.min(whole[0], from);
      whole[1] = Math.max(whole[1], to);
    }
  }
  const union = (/** @type {number[][]} */ list) =>
    [Math.min(...list.map((each) => each[0])), Math.max(...list.map((each) => each[1]))];
  const candidates = [whole];
  for (let count = extents.length; count >= 1; count = count >> 1) candidates.push(union(extents.slice(0, count)));
  const [from, to] = candidates.find((each) => each[1] > each[0] && isReadable(trace, finding, each))
    || candidates[candidates.length - 1];
  const least = Math.max(20000, (trace.end - trace.begin) * 0.0005), missing = Math.max(0, least - (to - from)) / 2;
  return { from: from - missing, to: to + missing };
}

/** Does an interval have few enough items and waits of a finding to be readable? */
function isReadable(/** @type {Trace} */ trace, /** @type {Finding} */ finding, /** @type {number[]} */ [from, to]) {
  let room = ITEMS_READABLE;
  const fits = (/** @type {Intervals} */ intervals) => (room -= intervals.count(from, to)) >= 0;
  const threads = new Set(finding.evidence.map((entry) => entry.thread));
  // `trace.work` sorts all items of a thread, so threads are checked only when the queues fit.
  return finding.queues.every((queue) => !trace.queues[queue] || fits(trace.running(queue)))
    && [...threads].every((thread) => !trace.threads[thread] || fits(trace.work(thread)));
}

/** Rows of the first threads that run or wait within a window, at most `THREADS_SHOWN`. */
function threadTracks(/** @type {Trace} */ trace, /** @type {number[]} */ threads, /** @type {number} */ from,
  /** @type {number} */ to) {
  const isActive = (/** @type {number} */ thread) =>
    trace.work(thread).count(from, to) > 0 || trace.blocked(thread).count(from, to) > 0, tracks = [];
  for (const thread of threads.filter((each) => trace.threads[each]).sort((a, b) => a - b)) {
    if (tracks.length === THREADS_SHOWN) break;
    if (isActive(thread)) tracks.push(new ThreadTrack(trace, thread));
  }
  return tracks;
}
