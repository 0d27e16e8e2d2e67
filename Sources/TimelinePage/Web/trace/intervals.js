// Intervals in the order of their begin. Each is on the first free lane, so that overlapping intervals are drawn next
// to each other.

import { lowerBound } from './columns.js';
import { DepthSeries, sampleIntervals } from './depth.js';
import { WholeDepth } from './left_out.js';
import { peakOf } from './peak.js';

/** The curve's series is built after the curves have read all intervals this many times. */
const LOOKS = 4;

/** The lane of each interval. The last lane takes the intervals that do not fit on `most` lanes. */
function packLanes(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends, /** @type {number} */ most) {
  const lane = new Uint8Array(begins.length), free = new Float64Array(most).fill(-Infinity);
  let count = 1;
  for (let i = 0; i < begins.length; i++) {
    let chosen = 0;
    while (chosen < most - 1 && free[chosen] > begins[i]) chosen++;
    lane[i] = chosen;
    if (ends[i] > free[chosen]) free[chosen] = ends[i];
    if (chosen >= count) count = chosen + 1;
  }
  return { lane, count };
}

/**
 * The intervals of one track in the order of begin, with the search that a frame needs.
 * `reach` is the largest end so far. It grows monotonically, also when intervals overlap or are nested.
 */
export class Intervals {
  /** `rows` are rows of the trace's table. Without them, the rows are consecutive from `firstRow`. */
  constructor(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends,
    /** @type {Uint32Array | Int32Array | null} */ rows = null, firstRow = 0) {
    this.begins = begins;
    this.ends = ends;
    this.rows = rows;
    this.firstRow = firstRow;
    this.length = begins.length;
    /** @type {ReturnType<typeof packLanes> | null} */
    this.lanes = null;
    /** @type {DepthSeries | WholeDepth | null} */
    this.depthSeries = null;
    /** @type {Float64Array | null} */
    this.knownReach = null;
    /** @type {number | null} */
    this.knownPeak = null;
    /** The number of intervals read for curves without `depthSeries`. */
    this.looked = 0;
    /** @type {BinnedDepth | null} the depth of the items that were left out; see LeftOut */
    this.leftOut = null;
  }

  /**
   * The intervals of entries, which are in the order of begin.
   *
   * @template Entry
   * @param {Entry[]} entries
   * @param {(entry: Entry) => number} begin
   * @param {(entry: Entry) => number} end
   * @param {((entry: Entry) => number) | null} row
   */
  static of(entries, begin, end, row = null) {
    return new Intervals(Float64Array.from(entries, begin), Float64Array.from(entries, end),
      row && Int32Array.from(entries, row));
  }

  get reach() { return this.knownReach ||= Intervals.reach(this.ends); }

  static reach(/** @type {Float64Array} */ ends) {
    let reach = -Infinity, from = 0;
    while (from < ends.length && ends[from] >= reach) reach = ends[from++];
    // Without overlaps, the reach is the end itself.
    if (from === ends.length) return ends;
    const reached = ends.slice();
    for (let i = from; i < ends.length; i++) {
      if (ends[i] > reach) reach = ends[i];
      reached[i] = reach;
    }
    return reached;
  }

  /** The row of the trace's table at a position of this track. */
  row(/** @type {number} */ position) { return this.rows ? this.rows[position] : this.firstRow + position; }

  packed(/** @type {number} */ most) {
    return Object.assign(this, { lanes: packLanes(this.begins, this.ends, most) });
  }

  /** The positions [first, last) that can intersect [from, to). */
  range(/** @type {number} */ from, /** @type {number} */ to) {
    return [lowerBound(this.reach, from), lowerBound(this.begins, to)];
  }

  /** The number of intervals that can intersect [from, to). */
  count(/** @type {number} */ from, /** @type {number} */ to) {
    const [first, last] = this.range(from, to);
    return last - first;
  }

  /** The largest number of intervals that are open at once. */
  peak() { return this.knownPeak ??= peakOf([this], this.leftOut); }

  /** @type {Series['sample']} writes the average depth of `count` equal parts of [from, to) into an array */
  sample(from, to, count, into) {
    const [first, last] = this.range(from, to);
    this.looked += last - first;
    // Building a series costs as much as reading all intervals several times, so the first frames do without it.
    if (this.depthSeries || (last - first > count && this.looked > LOOKS * this.length)) {
      return this.depth.sample(from, to, count, into);
    }
    into.set(sampleIntervals(this.begins.subarray(first, last), this.ends.subarray(first, last), from, to, count));
    if (this.leftOut) this.leftOut.addTo(into, from, to);
    return into;
  }

  get depth() {
    return this.depthSeries ||= this.leftOut ? new WholeDepth(this.begins.slice(), this.ends.slice(), this.leftOut)
      : new DepthSeries(this.begins.slice(), this.ends.slice());
  }
}
