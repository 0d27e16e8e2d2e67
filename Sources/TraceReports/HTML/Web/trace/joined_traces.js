// One trace, or two traces on one time scale: before and after a change. Two traces become one table, in which the
// queues, threads, items and so on of the first trace come first. Code for one trace then works for both. A `Side` has
// the ranges that belong to each trace.

import { LOCK } from './decoder.js';
import { joinMaps, LeftOut } from './left_out.js';
import { joinTasks } from './tasks.js';

/**
 * One of the page's traces: `facts` (`trace` of META), its length, and the ranges of its entries in the tables, as {
 * from, to }.
 */
export class Side {
  constructor(name, data, from = { items: 0, queues: 0, threads: 0, locks: 0, strings: 0 }) {
    const { meta } = data, part = (key, count) => ({ from: from[key], to: from[key] + count });
    this.name = name;
    this.facts = meta.trace;
    this.duration = meta.trace.end - meta.trace.begin;
    this.workers = data.workers;
    this.criticalPath = Side.path(data.criticalPath, from);
    this.openWaits = Side.openWaits(meta.openWaits, from);
    this.rows = part('items', data.items.count);
    /** The number of items that ran, including items that were left out. */
    this.items = data.items.count + meta.trace.omittedItems;
    this.queues = part('queues', meta.queues.length);
    this.threads = part('threads', meta.threads.length);
    this.locks = part('locks', meta.locks.length);
    this.strings = part('strings', meta.strings.length);
  }

  /** The critical path with its positions shifted like the tables. */
  static path(path, from) {
    if (!path || !from.items) return path;
    const moved = (entry) => Object.assign({}, entry, { code: entry.code + from.codes,
      queue: entry.queue < 0 ? -1 : entry.queue + from.queues });
    return Object.assign({}, path, {
      totals: path.totals.map(moved), segments: path.segments.map((segment) => Object.assign(moved(segment), {
        thread: segment.thread < 0 ? -1 : segment.thread + from.threads,
        row: segment.row < 0 ? segment.row : segment.row + from.items })),
    });
  }

  /** The open waits with their positions shifted like the tables. */
  static openWaits({ rows, omitted }, from) {
    const moved = (waiter) => Object.assign({}, waiter, {
      thread: waiter.thread < 0 ? -1 : waiter.thread + from.threads,
      queue: waiter.queue < 0 ? -1 : waiter.queue + from.queues });
    return { rows: rows.map((row) => Object.assign({}, row, { waiters: row.waiters.map(moved) })), omitted };
  }

  hasRow(row) { return row >= this.rows.from && row < this.rows.to; }
  hasQueue(queue) { return queue >= this.queues.from && queue < this.queues.to; }
  hasThread(thread) { return thread >= this.threads.from && thread < this.threads.to; }
  hasSignpost(signpost) { return signpost.name >= this.strings.from && signpost.name < this.strings.to; }
}

/**
 * Joins the decoded data of two traces. Positions in the tables of the second trace are shifted by the sizes of the
 * first.
 */
export function joinTraces(before, after) {
  const { meta } = before, shift = {
    items: before.items.count, queues: meta.queues.length, threads: meta.threads.length, codes: meta.codes.length,
    locks: meta.locks.length, sources: meta.sources.length, strings: meta.strings.length,
    shapes: before.shapes.length, objects: meta.waitObjects.length,
  };
  const sides = [new Side('Before', before), new Side('After', after, shift)];
  // Negative positions mean "none" in every table and are not shifted.
  const moved = (entry, tables) => {
    const copy = Object.assign({}, entry);
    for (const [key, table] of Object.entries(tables)) if (copy[key] >= 0) copy[key] += shift[table];
    return copy;
  };
  const list = (name, tables, order) => {
    const joined = before[name].concat(after[name].map((entry) => moved(entry, tables)));
    return joined.sort((a, b) => a[order] - b[order]);
  };
  return {
    sides, meta: joinMeta(before.meta, after.meta, moved, shift),
    shapes: before.shapes.concat(after.shapes.map((shape) => moved(shape, { code: 'codes', source: 'sources' }))),
    items: joinItems(before.items, after.items, shift),
    holdings: list('holdings', { lock: 'locks', thread: 'threads', code: 'codes' }, 'begin'),
    waits: list('waits', { thread: 'threads', code: 'codes', object: 'objects', waiter: 'items', signaller: 'threads',
      signallingItem: 'items', signalCode: 'codes' }, 'begin'),
    pending: list('pending', { queue: 'queues', code: 'codes', enqueuer: 'threads', parent: 'items' }, 'enqueued'),
    signposts: list('signposts', { name: 'strings', message: 'strings', thread: 'threads', endThread: 'threads',
      code: 'codes' }, 'begin'),
    tasks: joinTasks(before.tasks, after.tasks, moved),
    marks: list('marks', { queue: 'queues', source: 'sources', thread: 'threads', code: 'codes',
      activationCode: 'codes' }, 'time'),
    slices: { resolution: Math.max(before.slices.resolution, after.slices.resolution),
      threads: joinMaps(before.slices.threads, after.slices.threads, shift.threads) },
    criticalPath: null,
    leftOut: LeftOut.join(before.leftOut, after.leftOut, shift),
  };
}

function joinItems(one, other, shift) {
  // Positions in the joined tables can exceed the number type of either column.
  const column = (key, add = 0, least = 0) => {
    const isTime = one[key] instanceof Float64Array, count = one.count + other.count;
    const joined = isTime ? new Float64Array(count) : new Int32Array(count);
    joined.set(one[key]);
    for (let i = 0; i < other.count; i++) joined[one.count + i] = other[key][i] >= least ? other[key][i] + add : other[key][i];
    return joined;
  };
  const bytes = new Uint8Array(one.bytes.length + other.bytes.length), handedOverBy = new Map(one.handedOverBy);
  bytes.set(one.bytes);
  bytes.set(other.bytes, one.bytes.length);
  for (const [row, thread] of other.handedOverBy) handedOverBy.set(row + one.count, thread + shift.threads);
  return {
    count: one.count + other.count, bytes, handedOverBy,
    groups: one.groups.concat(other.groups.map(({ queue, start, end }) => (
      { queue: queue + shift.queues, start: start + one.count, end: end + one.count }))),
    begin: column('begin'), end: column('end'), enqueued: column('enqueued'), partsAt: column('partsAt', one.bytes.length),
    queue: column('queue', shift.queues), shape: column('shape', shift.shapes), thread: column('thread', shift.threads),
    enqueuer: column('enqueuer', shift.threads), parent: column('parent', one.count),
  };
}

/** The order of changes in the list of findings. Within a change the costliest finding is first. */
const CHANGES = ['new', 'worse', 'same', 'gone'];

function joinMeta(one, other, moved, shift) {
  const rows = (key, tables) => one[key].concat(other[key].map((entry) => moved(entry, tables)));
  const finding = (entry, name, add) => Object.assign({}, entry, {
    // Both traces number their findings from 1.
    id: `${entry.id}-${name}`, side: name,
    queues: entry.queues.map((queue) => queue + (add ? shift.queues : 0)),
    locks: entry.locks.map((lock) => lock + (add ? shift.locks : 0)),
    code: entry.code.map((code) => code + (add ? shift.codes : 0)),
    evidence: entry.evidence.map((proof) => add ? moved(proof, { thread: 'threads' }) : proof),
  });
  // A finding of both traces is shown as it is after the change.
  const findings = one.findings.filter((entry) => entry.change !== 'same').map((entry) => finding(entry, 'before', false))
    .concat(other.findings.map((entry) => finding(entry, 'after', true)));
  return Object.assign({}, one, {
    trace: Object.assign({}, other.trace, {
      begin: Math.min(one.trace.begin, other.trace.begin), end: Math.max(one.trace.end, other.trace.end),
      windows: one.trace.windows,
      omittedItems: one.trace.omittedItems + other.trace.omittedItems,
      omittedMarks: one.trace.omittedMarks + other.trace.omittedMarks,
      omittedTasks: one.trace.omittedTasks + other.trace.omittedTasks,
    }),
    queues: rows('queues', { target: 'queues', exclusion: 'queues', code: 'codes' }),
    threads: rows('threads', {}), codes: one.codes.concat(other.codes),
    links: one.links && Object.assign({}, one.links, other.links),
    locks: rows('locks', { code: 'codes' }), sources: rows('sources', { queue: 'queues', code: 'codes' }),
    strings: one.strings.concat(other.strings),
    waitObjects: one.waitObjects.concat(other.waitObjects.map((object) => Object.assign(moved(object, { code: 'codes' }),
      { entity: object.entity < 0 ? -1 : object.entity + (object.kind === LOCK ? shift.locks : shift.queues) }))),
    findings: findings.sort((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) || b.cost - a.cost),
  });
}
