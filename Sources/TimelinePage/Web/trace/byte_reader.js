// Reads numbers from the binary data of the page; see NumberColumn.swift.

export function unzigzagged(/** @type {number} */ value) { return value % 2 === 0 ? value / 2 : -(value + 1) / 2; }

export class ByteReader {
  constructor(/** @type {Uint8Array} */ bytes, start = 0, end = bytes.length) {
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
  parts(/** @type {number} */ count, /** @type {number} */ whole) {
    const parts = /** @type {number[]} */ (new Array(count).fill(0));
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
  numbers(/** @type {number} */ count) {
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

/** @returns {Numbers} an array for numbers from 0 to `largest` */
export function narrow(/** @type {number} */ largest, /** @type {number} */ count) {
  return largest < 256 ? new Uint8Array(count) : largest < 65536 ? new Uint16Array(count) : new Uint32Array(count);
}

/**
 * Reads numbers of a fixed width. A number with all bits set is read from `large` instead. This is the only branch that
 * depends on the data.
 */
function fillFixed(/** @type {Float64Array | Numbers} */ into, /** @type {Uint8Array} */ bytes,
  /** @type {number} */ start, /** @type {number} */ width, /** @type {ByteReader} */ large) {
  const count = into.length, escape = 2 ** (width * 8) - 1;
  for (let i = 0, at = start; i < count; i++, at += width) {
    let value = bytes[at];
    if (width > 1) value |= bytes[at + 1] << 8;
    if (width > 2) value |= bytes[at + 2] << 16;
    if (width > 3) value = (value | bytes[at + 3] << 24) >>> 0;
    into[i] = value === escape ? large.varint() : value;
  }
}
