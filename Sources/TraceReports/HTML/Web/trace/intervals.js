// Intervals in the order of their begin, put on the first free lane, so that what overlaps is drawn side by side.

import { lowerBound } from './columns.js';
import { DepthSeries, sampleIntervals } from './depth.js';
import { WholeDepth } from './left_out.js';
import { peakOf } from './peak.js';

/** So many times all intervals are looked at before the curve's series is built. */
const LOOKS = 4;

/** Returns { lane: Uint8Array, count }; the last lane takes what does not fit on `most` */
function packLanes(begins, ends, most) {
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
 * Rows of one track in the order of begin, with the search that a frame needs.
 * `reach` is the largest end so far, which grows monotonically even where intervals overlap or nest.
 */
export class Intervals {
  /** `rows` are those of the trace's table; without, they follow one another from `firstRow`. */
  constructor(begins, ends, rows = null, firstRow = 0) {
    this.begins = begins;
    this.ends = ends;
    this.rows = rows;
    this.firstRow = firstRow;
    this.length = begins.length;
    this.depthSeries = null;
    this.knownReach = this.knownPeak = null;
    /** How many intervals were looked at for curves without `depthSeries`. */
    this.looked = 0;
    /** What was left out of them; see LeftOut. @type {BinnedDepth | null} */
    this.leftOut = null;
    /** Of a thread's blocked intervals; see `Trace.blockedBy`. @type {Float64Array | null} */
    this.causes = null;
  }

  get reach() { return this.knownReach ||= Intervals.reach(this.ends); }

  static reach(ends) {
    let reach = -Infinity, from = 0;
    while (from < ends.length && ends[from] >= reach) reach = ends[from++];
    // Of what runs one after the other it is the end itself.
    if (from === ends.length) return ends;
    const reached = ends.slice();
    for (let i = from; i < ends.length; i++) {
      if (ends[i] > reach) reach = ends[i];
      reached[i] = reach;
    }
    return reached;
  }

  /** The row of the trace's table at a position of this track. */
  row(position) { return this.rows ? this.rows[position] : this.firstRow + position; }

  packed(most) {
    this.lanes = packLanes(this.begins, this.ends, most);
    return this;
  }

  /** Positions [first, last) that can touch [from, to). */
  range(from, to) { return [lowerBound(this.reach, from), lowerBound(this.begins, to)]; }

  /** The most that are open at once. */
  peak() { return this.knownPeak ??= peakOf([this], this.leftOut); }

  /** The average depth of `count` equal parts of [from, to), into an array. */
  sample(from, to, count, into) {
    const [first, last] = this.range(from, to);
    this.looked += last - first;
    // A series costs as much as looking at all intervals many times: the first frames do without.
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
