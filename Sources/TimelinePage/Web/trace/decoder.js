// Reads the binary data of the page. TimelineFormat.swift describes the format; this is version 3.

import { ByteReader, narrow, unzigzagged } from './byte_reader.js';
import { LeftOut } from './left_out.js';
import { decodeTasks } from './tasks.js';
import { STEP_KINDS, WAIT_OBJECTS, WAIT_PARTS } from './vocabulary.js';

const FORMAT_VERSION = 3;

/** Decodes base64 in pieces. Each piece has whole groups of four characters. */
export function bytesOfBase64(/** @type {string[]} */ pieces) {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0), bytes = new Uint8Array(size / 4 * 3);
  let end = 0;
  for (const piece of pieces) {
    const rest = bytes.subarray(end);
    if (rest.setFromBase64) {
      end += rest.setFromBase64(piece).written;
    } else {
      const text = atob(piece);
      for (let i = 0; i < text.length; i++) bytes[end++] = text.charCodeAt(i);
    }
  }
  return bytes.subarray(0, end);
}

/** In place of a row: NO_ITEM means that there is no item, LEFT_OUT that the timeline has no detail of it. */
export const NO_ITEM = -2, LEFT_OUT = -1;
/** The flags of an item's shape. */
export const BARRIER = 1, UNFINISHED = 2;
/** A flag of an item that never began, in addition to BARRIER. */
export const CANCELLED = 2;
/** The number of a lock among the objects that threads wait for. */
export const LOCK = WAIT_OBJECTS.findIndex(({ name }) => name === 'lock');
/** The reason why a thread left its processor. */
export const PREEMPTED = 0, BLOCKED = 1;

export function decodeTimeline(/** @type {Uint8Array} */ bytes) {
  const reader = new ByteReader(bytes);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'QSTL') throw new Error('This page contains no timeline.');
  reader.position = 4;
  const version = reader.fixed32();
  if (version !== FORMAT_VERSION) {
    throw new Error(`The data has version ${version}, but the script reads version ${FORMAT_VERSION}.`);
  }
  /** @type {Record<string, ByteReader>} */
  const sections = {};
  while (reader.position < bytes.length) {
    const tag = String.fromCharCode(reader.byte(), reader.byte(), reader.byte(), reader.byte());
    const length = reader.fixed32();
    sections[tag] = new ByteReader(bytes, reader.position, reader.position + length);
    reader.position += length;
  }
  const meta = sections.META;
  return {
    meta: /** @type {Meta} */ (JSON.parse(new TextDecoder().decode(bytes.subarray(meta.position, meta.end)))),
    shapes: decodeList(sections.SHAP, (r) => (
      { kind: r.varint(), qos: r.varint(), flags: r.varint(), code: r.varint(), source: r.varint() - 1 })),
    items: decodeItems(sections.ITEM, sections.RELA),
    holdings: decodeTimed(sections.LOCK, (r) => ({ lock: r.varint(), thread: r.varint(), code: r.varint() }),
      (r, time) => { const requested = time - r.varint(); return { requested, begin: time, end: time + r.varint() }; }),
    waits: decodeTimed(sections.WAIT,
      (r) => ({ thread: r.varint(), code: r.varint(), kind: r.varint(), flags: r.varint(), object: r.varint() - 1,
        waiter: r.item(), signaller: r.varint() - 1, signallingItem: r.item(), signalCode: r.varint() }),
      (r, time) => { const end = time + r.varint(); return { begin: time, end, signalled: end - r.signed() }; }),
    pending: decodeTimed(sections.PEND,
      (r) => ({ queue: r.varint(), kind: r.varint(), flags: r.varint(), code: r.varint(), enqueuer: r.varint() - 1,
        parent: r.item() }),
      (r, time) => ({ enqueued: time, until: time + r.varint() })),
    slices: decodeSlices(sections.SLIC),
    workers: decodeWorkers(sections.WORK),
    criticalPath: decodePath(sections.PATH),
    leftOut: new LeftOut(decodeHistogram(sections.HISQ), decodeHistogram(sections.HIST)),
    tasks: decodeTasks(sections.TASK),
    signposts: decodeTimed(sections.SIGN,
      (r) => ({ name: r.varint(), message: r.varint(), thread: r.varint(), endThread: r.varint(), code: r.varint(),
        isEvent: r.varint() === 1 }),
      (r, time) => ({ begin: time, end: time + r.varint() })),
    marks: decodeTimed(sections.MARK,
      (r) => ({ kind: r.varint(), queue: r.varint() - 1, source: r.varint() - 1, thread: r.varint(), code: r.varint(),
        activationCode: r.varint() }),
      (r, time) => ({ time, activated: r.varint() - 1 })),
  };
}

/**
 * @template T
 * @param {ByteReader} reader
 * @param {(reader: ByteReader) => T} read
 */
function decodeList(reader, read) {
  /** @type {T[]} */
  const list = [];
  for (let left = reader.varint(); left > 0; left--) list.push(read(reader));
  return list;
}

/**
 * @template {{}} Head
 * @template {{}} Times
 * @param {ByteReader} reader
 * @param {(reader: ByteReader) => Head} readHead
 * @param {(reader: ByteReader, time: number) => Times} readTimes
 */
function decodeTimed(reader, readHead, readTimes) {
  let time = 0;
  return decodeList(reader, (r) => {
    const head = readHead(r);
    time += r.varint();
    return Object.assign(head, readTimes(r, time));
  });
}

/**
 * Calls `build` at the first use.
 *
 * @template Value
 * @param {() => Value} build
 */
function later(build) {
  /** @type {Value | null} */
  let value = null;
  return () => value ??= build();
}

/**
 * The columns about single items (`partsAt`, `handedOverBy`, `parent`) are decoded at their first use.
 * @returns {Items}
 */
function decodeItems(/** @type {ByteReader} */ reader, /** @type {ByteReader} */ relations) {
  const count = reader.varint();
  const groups = [];
  for (let left = reader.varint(), start = 0; left > 0; left--) {
    const queue = reader.varint(), length = reader.varint();
    groups.push({ queue, start, end: start + length });
    start += length;
  }
  const begin = new Float64Array(count), end = new Float64Array(count), enqueued = new Float64Array(count),
    queue = narrow(groups.reduce((largest, group) => Math.max(largest, group.queue), 0), count);
  reader.column().fill(begin);
  for (const group of groups) {
    queue.fill(group.queue, group.start, group.end);
    for (let row = group.start + 1; row < group.end; row++) begin[row] += begin[row - 1];
  }
  reader.column().fill(end);
  reader.column().fill(enqueued);
  for (let row = 0; row < count; row++) {
    end[row] += begin[row];
    enqueued[row] = begin[row] - enqueued[row];
  }
  const shape = reader.column().numbers(count), thread = reader.column().numbers(count);
  const partsColumn = relations.column(), handoffsColumn = relations.column(), parentsColumn = relations.column();
  const parts = later(() => decodeParts(partsColumn, enqueued, begin)),
    handoffs = later(() => decodeHandoffs(handoffsColumn)),
    parents = later(() => decodeParents(parentsColumn, count));
  return {
    count, groups, bytes: reader.bytes, begin, end, enqueued, queue, shape, thread,
    enqueuer: lessOne(reader.column().numbers(count)),
    get partsAt() { return parts(); },
    get handedOverBy() { return handoffs(); },
    get parent() { return parents(); },
  };
}

/** The numbers minus one, so that 0 becomes -1. */
function lessOne(/** @type {Numbers} */ numbers) {
  const less = numbers instanceof Uint8Array ? new Int16Array(numbers.length) : new Int32Array(numbers.length);
  for (let i = 0; i < less.length; i++) less[i] = numbers[i] - 1;
  return less;
}

/** The position of the parts of each row's wait; see waitParts. */
function decodeParts(/** @type {ByteReader} */ column, /** @type {Float64Array} */ enqueued,
  /** @type {Float64Array} */ begin) {
  const partsAt = new Uint32Array(begin.length);
  for (let row = 0; row < begin.length; row++) {
    if (enqueued[row] === begin[row]) continue;
    partsAt[row] = column.position;
    let bits = column.byte();
    for (bits &= bits - 1; bits !== 0; bits &= bits - 1) column.varint();
  }
  return partsAt;
}

/** A map from each row to the thread that handed the queue to it. */
function decodeHandoffs(/** @type {ByteReader} */ column) {
  /** @type {Map<number, number>} */
  const handedOverBy = new Map();
  for (let left = column.varint(), row = 0; left > 0; left--) {
    row += column.varint();
    handedOverBy.set(row, column.varint());
  }
  return handedOverBy;
}

function decodeParents(/** @type {ByteReader} */ column, /** @type {number} */ count) {
  const parent = new Int32Array(count);
  for (let row = 0, before = 0; row < count; row++) {
    const code = column.varint();
    if (code >= 2) before += unzigzagged(code - 2);
    parent[row] = code < 2 ? code - 2 : before;
  }
  return parent;
}

/** Returns the resolution and the slices of each thread. */
function decodeSlices(/** @type {ByteReader} */ reader) {
  const resolution = reader.varint();
  /** @type {Map<number, Slices>} */
  const threads = new Map();
  for (let left = reader.varint(); left > 0; left--) {
    const thread = reader.varint(), count = reader.varint();
    const begin = new Float64Array(count), end = new Float64Array(count), ending = new Uint8Array(count),
      processor = new Int16Array(count);
    for (let i = 0, time = 0; i < count; i++) {
      begin[i] = time += reader.varint();
      end[i] = time += reader.varint();
      const facts = reader.varint();
      ending[i] = facts & 3;
      processor[i] = (facts >> 2) - 1;
    }
    threads.set(thread, { begin, end, ending, processor });
  }
  return { resolution, threads };
}

/** Returns { resolution, time, most: { alive, active }, last: { alive, active } } with one entry per step */
function decodeWorkers(/** @type {ByteReader} */ reader) {
  const resolution = reader.varint(), count = reader.varint(), column = () => new Int32Array(count);
  const steps = { resolution, time: new Float64Array(count), most: { alive: column(), active: column() },
    last: { alive: column(), active: column() } };
  for (let i = 0, time = 0; i < count; i++) {
    steps.time[i] = time += reader.varint();
    for (const counts of [steps.most, steps.last]) {
      counts.alive[i] = reader.varint();
      counts.active[i] = reader.varint();
    }
  }
  return steps;
}

/**
 * Returns null, or { begin, end, omitted, segments: [{ kind, code, queue, thread, row, from, to }],
 *   totals: [{ kind, code, queue, time, count }] }. A kind is a name of STEP_KINDS. Queue and thread are -1, and the
 *   row is NO_ITEM, for none.
 */
function decodePath(/** @type {ByteReader} */ reader) {
  if (reader.varint() === 0) return null;
  const begin = reader.varint(), end = begin + reader.varint(), omitted = reader.varint();
  const head = (/** @type {ByteReader} */ r) => (
    { kind: STEP_KINDS[r.varint()].name, code: r.varint(), queue: r.varint() - 1 });
  let time = begin;
  const segments = decodeList(reader, (r) => {
    const segment = Object.assign(head(r), { thread: r.varint() - 1, row: r.item(), from: time += r.varint() });
    return Object.assign(segment, { to: time += r.varint() });
  });
  const totals = decodeList(reader, (r) => Object.assign(head(r), { time: r.varint(), count: r.varint() }));
  return { begin, end, omitted, segments, totals };
}

/** @returns {Histogram} */
function decodeHistogram(/** @type {ByteReader} */ reader) {
  const width = reader.varint();
  /** @type {Histogram['series']} */
  const series = new Map();
  for (let left = reader.varint(); left > 0; left--) {
    const position = reader.varint(), count = reader.varint();
    const one = { bins: new Int32Array(count), items: new Float64Array(count), busy: new Float64Array(count),
      waiting: new Float64Array(count) };
    for (let i = 0, bin = 0; i < count; i++) {
      one.bins[i] = bin += reader.varint();
      one.items[i] = reader.varint();
      one.busy[i] = reader.varint() / 4096;
      one.waiting[i] = reader.varint() / 4096;
    }
    series.set(position, one);
  }
  return { width, series };
}

/** The parts of an item's wait. Their sum is the wait. */
export function waitParts(/** @type {Items} */ items, /** @type {number} */ row) {
  const wait = items.begin[row] - items.enqueued[row];
  return wait > 0 ? new ByteReader(items.bytes, items.partsAt[row]).parts(WAIT_PARTS.length, wait)
    : WAIT_PARTS.map(() => 0);
}
