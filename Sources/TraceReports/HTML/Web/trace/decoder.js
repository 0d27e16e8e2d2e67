// Reads the binary data of the page. TimelineFormat.swift describes the format; this is version 3.

import { LeftOut } from './left_out.js';
import { decodeTasks } from './tasks.js';
import { STEP_KINDS, WAIT_OBJECTS, WAIT_PARTS } from './vocabulary.js';

const FORMAT_VERSION = 3;

/** Decodes base64 in pieces. Each piece has whole groups of four characters. */
export function bytesOfBase64(pieces) {
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

function unzigzagged(value) { return value % 2 === 0 ? value / 2 : -(value + 1) / 2; }

class ByteReader {
  constructor(bytes, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  byte() { return this.bytes[this.position++]; }

  fixed32() {
    const b = this.bytes, p = this.position;
    this.position += 4;
    return (b[p] | b[p + 1] << 8 | b[p + 2] << 16 | b[p + 3] << 24) >>> 0;
  }

  /** Reads a LEB128 number. Shifts are used up to 28 bits. Higher bits are multiplied, which is exact up to 2^53. */
  varint() {
    const bytes = this.bytes;
    let byte = bytes[this.position++];
    if (byte < 128) return byte;
    let value = byte & 127, shift = 7;
    do {
      byte = bytes[this.position++];
      value += shift < 28 ? (byte & 127) << shift : (byte & 127) * Math.pow(2, shift);
      shift += 7;
    } while (byte >= 128);
    return value;
  }

  /** Reads a signed number: 0, 1, 2, 3 … encode 0, -1, 1, -2 … */
  signed() { return unzigzagged(this.varint()); }

  /** Reads a reference to an item: its row, NO_ITEM or LEFT_OUT. */
  item() { return this.varint() - 2; }

  /**
   * Reads the parts of `whole`. Each set bit marks a part that is not zero, and the last of these parts is the rest.
   */
  parts(count, whole) {
    const parts = new Array(count).fill(0);
    let bits = this.byte(), rest = whole;
    for (let part = 0; bits !== 0; part++) {
      if (!(bits & 1 << part)) continue;
      bits &= ~(1 << part);
      parts[part] = bits === 0 ? rest : this.varint();
      rest -= parts[part];
    }
    return parts;
  }

  /** Reads one number for each element of `into`; see NumberColumn.swift. */
  fill(/** @type {Float64Array | Numbers} */ into) {
    const width = this.byte(), start = this.position;
    if (width > 0) {
      fillFixed(into, this.bytes, start, width, new ByteReader(this.bytes, start + width * into.length));
      return;
    }
    for (let from = 0; from < into.length;) {
      const value = this.varint(), to = from + this.varint();
      while (from < to) into[from++] = value;
    }
  }

  /**
   * Reads numbers into the smallest array type, because allocating memory takes longer than filling it.
   * @returns {Numbers}
   */
  numbers(count) {
    const width = this.bytes[this.position], start = this.position + 1, hasLarge = start + width * count < this.end;
    if (width === 1 && !hasLarge) return this.bytes.subarray(start, start + count);
    const numbers = narrow(width === 0 ? this.largestOfRuns() : hasLarge || width > 2 ? Infinity : 65535, count);
    this.fill(numbers);
    return numbers;
  }

  largestOfRuns() {
    const { position } = this;
    let largest = 0;
    for (this.byte(); this.position < this.end; this.varint()) largest = Math.max(largest, this.varint());
    this.position = position;
    return largest;
  }

  /** A reader of a part of the bytes. The length precedes the part. */
  column() {
    const length = this.varint();
    const column = new ByteReader(this.bytes, this.position, this.position + length);
    this.position += length;
    return column;
  }
}

/** An array for numbers from 0 to `largest`. @returns {Numbers} */
function narrow(largest, count) {
  return largest < 256 ? new Uint8Array(count) : largest < 65536 ? new Uint16Array(count) : new Uint32Array(count);
}

/**
 * Reads numbers of a fixed width. A number with all bits set is read from `large` instead. This is the only branch that
 * depends on the data.
 */
function fillFixed(into, bytes, start, width, large) {
  const count = into.length, escape = 2 ** (width * 8) - 1;
  for (let i = 0, at = start; i < count; i++, at += width) {
    let value = bytes[at];
    if (width > 1) value |= bytes[at + 1] << 8;
    if (width > 2) value |= bytes[at + 2] << 16;
    if (width > 3) value = (value | bytes[at + 3] << 24) >>> 0;
    into[i] = value === escape ? large.varint() : value;
  }
}

export function decodeTimeline(bytes) {
  const reader = new ByteReader(bytes);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'QSTL') throw new Error('This page contains no timeline.');
  reader.position = 4;
  const version = reader.fixed32();
  if (version !== FORMAT_VERSION) {
    throw new Error(`The data has version ${version}, but the script reads version ${FORMAT_VERSION}.`);
  }
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

/** Calls `build` at the first use. */
function later(build) {
  let value = null;
  return () => value ??= build();
}

/** The columns about single items (`partsAt`, `handedOverBy`, `parent`) are decoded at their first use. */
function decodeItems(reader, relations) {
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
function decodeParts(column, enqueued, begin) {
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
function decodeHandoffs(column) {
  const handedOverBy = new Map();
  for (let left = column.varint(), row = 0; left > 0; left--) {
    row += column.varint();
    handedOverBy.set(row, column.varint());
  }
  return handedOverBy;
}

function decodeParents(column, count) {
  const parent = new Int32Array(count);
  for (let row = 0, before = 0; row < count; row++) {
    const code = column.varint();
    if (code >= 2) before += unzigzagged(code - 2);
    parent[row] = code < 2 ? code - 2 : before;
  }
  return parent;
}

/** Returns { resolution, threads: map from a thread to { begin, end, ending, processor } } */
function decodeSlices(reader) {
  const resolution = reader.varint(), threads = new Map();
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
function decodeWorkers(reader) {
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
 * Returns null, or { begin, end, omitted, segments: [{ kind (a name of STEP_KINDS), code, queue, thread, row, from, to }],
 *   totals: [{ kind, code, queue, time, count }] }. Queue and thread are -1, and the row is NO_ITEM, for none.
 */
function decodePath(reader) {
  if (reader.varint() === 0) return null;
  const begin = reader.varint(), end = begin + reader.varint(), omitted = reader.varint();
  const head = (r) => ({ kind: STEP_KINDS[r.varint()].name, code: r.varint(), queue: r.varint() - 1 });
  let time = begin;
  const segments = decodeList(reader, (r) => {
    const segment = Object.assign(head(r), { thread: r.varint() - 1, row: r.item(), from: time += r.varint() });
    return Object.assign(segment, { to: time += r.varint() });
  });
  const totals = decodeList(reader, (r) => Object.assign(head(r), { time: r.varint(), count: r.varint() }));
  return { begin, end, omitted, segments, totals };
}

/** Returns { width, series: map from a position to columns of bins, with times in units of `width` } */
function decodeHistogram(reader) {
  const width = reader.varint(), series = new Map();
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
export function waitParts(items, row) {
  const count = WAIT_PARTS.length, wait = items.begin[row] - items.enqueued[row];
  return wait > 0 ? new ByteReader(items.bytes, items.partsAt[row]).parts(count, wait) : new Array(count).fill(0);
}
