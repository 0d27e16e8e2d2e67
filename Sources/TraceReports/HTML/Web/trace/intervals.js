// Intervals in the order of their begin, put on the first free lane, so that what overlaps is drawn side by side.

import { lowerBound } from './columns.js';
import { DepthSeries, sampleIntervals } from './depth.js';

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
  constructor(begins, ends, rows = null) {
    this.begins = begins;
    this.ends = ends;
    this.rows = rows;
    this.length = begins.length;
    this.depthSeries = null;
    /** Of a thread's blocked intervals; see `Trace.blockedBy`. @type {Float64Array | null} */
    this.causes = null;
    this.reach = new Float64Array(this.length);
    let reach = -Infinity;
    for (let i = 0; i < this.length; i++) {
      if (ends[i] > reach) reach = ends[i];
      this.reach[i] = reach;
    }
  }

  /** The row of the trace's table at a position of this track. */
  row(position) { return this.rows ? this.rows[position] : position; }

  packed(most) {
    this.lanes = packLanes(this.begins, this.ends, most);
    return this;
  }

  /** Positions [first, last) that can touch [from, to). */
  range(from, to) { return [lowerBound(this.reach, from), lowerBound(this.begins, to)]; }

  /** The most that are open at once: of a few with a list of the open ones, which needs no sorting. */
  peak() {
    const open = new Float64Array(64);
    let count = 0, peak = 0;
    for (let i = 0; i < this.length && !this.depthSeries; i++) {
      const begin = this.begins[i];
      for (let at = count - 1; at >= 0; at--) if (open[at] <= begin) open[at] = open[--count];
      if (count === open.length) return this.depth.peak();
      open[count++] = this.ends[i];
      if (count > peak) peak = count;
    }
    return this.depthSeries ? this.depthSeries.peak() : peak;
  }

  /** The average depth of `count` equal parts of [from, to), into an array. */
  sample(from, to, count, into) {
    const [first, last] = this.range(from, to);
    if (this.depthSeries || last - first > count) return this.depth.sample(from, to, count, into);
    into.set(sampleIntervals(this.begins.subarray(first, last), this.ends.subarray(first, last), from, to, count));
    return into;
  }

  get depth() { return this.depthSeries ||= new DepthSeries(this.begins.slice(), this.ends.slice()); }
}
