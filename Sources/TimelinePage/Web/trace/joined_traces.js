// One trace, or two traces on one time scale: before and after a change. Two traces become one table, in which the
// queues, threads, items and so on of the first trace come first. Code for one trace then works for both. A `Side` has
// the ranges that belong to each trace.

import { LOCK } from './decoder.js';
import { joinMaps, LeftOut } from './left_out.js';
import { joined, NO_SHIFT, shifted } from './shift.js';
import { joinTasks } from './tasks.js';

/**
 * One of the page's traces: `facts` (`trace` of META), its length, and the ranges of its entries in the tables, as {
 * from, to }.
 */
export class Side {
  constructor(/** @type {string} */ name, /** @type {Data} */ data, from = NO_SHIFT) {
    const { meta } = data;
    /** @type {(key: keyof Shift, count: number) => TimeRange} */
    const part = (key, count) => ({ from: from[key], to: from[key] + count });
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
  static path(/** @type {CriticalPath | null} */ path, /** @type {Shift} */ from) {
    return !path || from === NO_SHIFT ? path : Object.assign({}, path, {
      totals: path.totals.map((total) => shifted(total, { code: 'codes', queue: 'queues' }, from)),
      segments: path.segments.map((segment) => shifted(segment,
        { code: 'codes', queue: 'queues', thread: 'threads', row: 'items' }, from)),
    });
  }

  /** The open waits with their positions shifted like the tables. */
  static openWaits(/** @type {OpenWaitList} */ { rows, omitted }, /** @type {Shift} */ from) {
    return { omitted, rows: rows.map((row) => Object.assign({}, row, { waiters: row.waiters.map((waiter) =>
      shifted(waiter, { thread: 'threads', queue: 'queues' }, from)) })) };
  }

  hasRow(/** @type {number} */ row) { return row >= this.rows.from && row < this.rows.to; }
  hasQueue(/** @type {number} */ queue) { return queue >= this.queues.from && queue < this.queues.to; }
  hasThread(/** @type {number} */ thread) { return thread >= this.threads.from && thread < this.threads.to; }
  hasSignpost(/** @type {Signpost} */ signpost) {
    return signpost.name >= this.strings.from && signpost.name < this.strings.to;
  }
}

/**
 * Joins the decoded data of two traces. Positions in the tables of the second trace are shifted by the sizes of the
 * first.
 */
export function joinTraces(/** @type {Data} */ before, /** @type {Data} */ after) {
  const { meta } = before, shift = {
    items: before.items.count, queues: meta.queues.length, threads: meta.threads.length, codes: meta.codes.length,
    locks: meta.locks.length, sources: meta.sources.length, strings: meta.strings.length,
    shapes: before.shapes.length, objects: meta.waitObjects.length,
  };
  return {
    sides: [new Side('Before', before), new Side('After', after, shift)],
    meta: joinMeta(before.meta, after.meta, shift),
    shapes: joined(before.shapes, after.shapes, { code: 'codes', source: 'sources' }, shift),
    items: joinItems(before.items, after.items, shift),
    holdings: joined(before.holdings, after.holdings, { lock: 'locks', thread: 'threads', code: 'codes' }, shift)
      .sort((a, b) => a.begin - b.begin),
    waits: joined(before.waits, after.waits, { thread: 'threads', code: 'codes', object: 'objects', waiter: 'items',
      signaller: 'threads', signallingItem: 'items', signalCode: 'codes' }, shift).sort((a, b) => a.begin - b.begin),
    pending: joined(before.pending, after.pending, { queue: 'queues', code: 'codes', enqueuer: 'threads',
      parent: 'items' }, shift).sort((a, b) => a.enqueued - b.enqueued),
    signposts: joined(before.signposts, after.signposts, { name: 'strings', message: 'strings', thread: 'threads',
      endThread: 'threads', code: 'codes' }, shift).sort((a, b) => a.begin - b.begin),
    tasks: joinTasks(before.tasks, after.tasks, shift),
    marks: joined(before.marks, after.marks, { queue: 'queues', source: 'sources', thread: 'threads', code: 'codes',
      activationCode: 'codes' }, shift).sort((a, b) => a.time - b.time),
    slices: { resolution: Math.max(before.slices.resolution, after.slices.resolution),
      threads: joinMaps(before.slices.threads, after.slices.threads, shift.threads) },
    leftOut: LeftOut.join(before.leftOut, after.leftOut, shift),
  };
}

/** @returns {Items} */
function joinItems(/** @type {Items} */ one, /** @type {Items} */ other, /** @type {Shift} */ shift) {
  const count = one.count + other.count;
  const times = (/** @type {'begin' | 'end' | 'enqueued'} */ key) => {
    const column = new Float64Array(count);
    column.set(one[key]);
    column.set(other[key], one.count);
    return column;
  };
  // Positions in the joined tables can exceed the number type of either column.
  const column = (/** @type {'partsAt' | 'queue' | 'shape' | 'thread' | 'enqueuer' | 'parent'} */ key,
    /** @type {number} */ add) => {
    const positions = new Int32Array(count), moved = other[key];
    positions.set(one[key]);
    for (let i = 0; i < other.count; i++) positions[one.count + i] = moved[i] < 0 ? moved[i] : moved[i] + add;
    return positions;
  };
  const bytes = new Uint8Array(one.bytes.length + other.bytes.length), handedOverBy = new Map(one.handedOverBy);
  bytes.set(one.bytes);
  bytes.set(other.bytes, one.bytes.length);
  for (const [row, thread] of other.handedOverBy) handedOverBy.set(row + one.count, thread + shift.threads);
  return {
    count, bytes, handedOverBy,
    groups: one.groups.concat(other.groups.map(({ queue, start, end }) => (
      { queue: queue + shift.queues, start: start + one.count, end: end + one.count }))),
    begin: times('begin'), end: times('end'), enqueued: times('enqueued'), partsAt: column('partsAt', one.bytes.length),
    queue: column('queue', shift.queues), shape: column('shape', shift.shapes), thread: column('thread', shift.threads),
    enqueuer: column('enqueuer', shift.threads), parent: column('parent', one.count),
  };
}

/** The order of changes in the list of findings. Within a change the costliest finding is first. */
const CHANGES = ['new', 'worse', 'same', 'gone'];

/** @returns {Meta} */
function joinMeta(/** @type {Meta} */ one, /** @type {Meta} */ other, /** @type {Shift} */ shift) {
  // Both traces number their findings from 1.
  const finding = (/** @type {Finding} */ entry, /** @type {string} */ name) => Object.assign({}, entry,
    { id: `${entry.id}-${name}`, side: name });
  // A finding of both traces is shown as it is after the change.
  const findings = one.findings.filter((entry) => entry.change !== 'same').map((entry) => finding(entry, 'before'))
    .concat(other.findings.map((entry) => Object.assign(finding(entry, 'after'), {
      queues: entry.queues.map((queue) => queue + shift.queues),
      locks: entry.locks.map((lock) => lock + shift.locks),
      code: entry.code.map((code) => code + shift.codes),
      evidence: entry.evidence.map((proof) => shifted(proof, { thread: 'threads' }, shift)),
    })));
  const rank = (/** @type {Finding} */ { change }) => CHANGES.findIndex((each) => each === change);
  return Object.assign({}, one, {
    trace: Object.assign({}, other.trace, {
      begin: Math.min(one.trace.begin, other.trace.begin), end: Math.max(one.trace.end, other.trace.end),
      windows: one.trace.windows,
    }),
    queues: joined(one.queues, other.queues, { target: 'queues', exclusion: 'queues' }, shift),
    threads: one.threads.concat(other.threads), codes: one.codes.concat(other.codes),
    links: one.links && Object.assign({}, one.links, other.links),
    locks: one.locks.concat(other.locks),
    sources: joined(one.sources, other.sources, { queue: 'queues' }, shift),
    strings: one.strings.concat(other.strings),
    waitObjects: one.waitObjects.concat(other.waitObjects.map((object) => shifted(object,
      { code: 'codes', entity: object.kind === LOCK ? 'locks' : 'queues' }, shift))),
    findings: findings.sort((a, b) => rank(a) - rank(b) || b.cost - a.cost),
  });
}
