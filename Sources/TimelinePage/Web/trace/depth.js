// The number of intervals that are open at a time: exact, at any zoom, in logarithmic time.
//
// With the begins and the ends each sorted, and their running sums, the integral of the depth up to t is
//
//     F(t) = Σ over begins b ≤ t of (t − b)  −  Σ over ends e ≤ t of (t − e)
//
// and the average depth of a pixel [a, b) is (F(b) − F(a)) / (b − a). A pixel costs two binary searches, whether it
// covers one item or a million. No levels of detail have to be built or stored.

import { lowerBound, lowerBoundAfter, sortTimes } from './columns.js';

/** The averages of `count` equal parts of [from, to) of a series that has an `integral` function. */
export function sampleIntegral(/** @type {{ integral(time: number): number }} */ series, /** @type {number} */ from,
  /** @type {number} */ to, /** @type {number} */ count, /** @type {Float64Array} */ into) {
  const width = (to - from) / count;
  let before = series.integral(from);
  for (let i = 0; i < count; i++) {
    const after = series.integral(from + (i + 1) * width);
    into[i] = Math.max(0, (after - before) / width);
    before = after;
  }
  return into;
}

/** The same averages for unsorted intervals, in one pass. Used when only one view is needed. */
export function sampleIntervals(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends,
  /** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ count) {
  const width = (to - from) / count, partly = new Float64Array(count + 2), change = new Float64Array(count + 2);
  for (let i = 0; i < begins.length; i++) {
    const begin = (begins[i] - from) / width, end = (ends[i] - from) / width;
    if (end <= begin || end <= 0 || begin >= count) continue;
    const left = Math.max(0, begin), right = Math.min(count, end), first = Math.floor(left), last = Math.floor(right);
    if (first === last) {
      partly[first] += right - left;
    } else {
      partly[first] += first + 1 - left;
      partly[last] += right - last;
      change[first + 1]++;
      change[last]--;
    }
  }
  for (let i = 0, open = 0; i < count; i++) {
    open += change[i];
    partly[i] += open;
  }
  return partly.subarray(0, count);
}

export class DepthSeries {
  /** Takes ownership of the arrays and sorts them. */
  constructor(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends) {
    this.begins = sortTimes(begins);
    this.ends = sortTimes(ends);
    this.beginSums = DepthSeries.sums(begins);
    this.endSums = DepthSeries.sums(ends);
    this.peakDepth = -1;
  }

  static sums(/** @type {Float64Array} */ sorted) {
    const sums = new Float64Array(sorted.length + 1);
    for (let i = 0; i < sorted.length; i++) sums[i + 1] = sums[i] + sorted[i];
    return sums;
  }

  integral(/** @type {number} */ time) {
    const begun = lowerBound(this.begins, time), ended = lowerBound(this.ends, time);
    return begun * time - this.beginSums[begun] - (ended * time - this.endSums[ended]);
  }

  /** The depth right after `time`. */
  at(/** @type {number} */ time) { return lowerBound(this.begins, time + 0.5) - lowerBound(this.ends, time + 0.5); }

  /**
   * The average depth of `count` equal parts of [from, to). As sampleIntegral, but each search starts at the previous
   * edge.
   * @type {Series['sample']}
   */
  sample(from, to, count, into) {
    const { begins, ends, beginSums, endSums } = this, width = (to - from) / count;
    let begun = lowerBound(begins, from), ended = lowerBound(ends, from);
    let before = begun * from - beginSums[begun] - (ended * from - endSums[ended]);
    for (let i = 0; i < count; i++) {
      const time = from + (i + 1) * width;
      begun = lowerBoundAfter(begins, time, begun);
      ended = lowerBoundAfter(ends, time, ended);
      const after = begun * time - beginSums[begun] - (ended * time - endSums[ended]);
      into[i] = Math.max(0, (after - before) / width);
      before = after;
    }
    return into;
  }

  /** The largest depth at any time. */
  peak() {
    if (this.peakDepth >= 0) return this.peakDepth;
    let depth = 0, peak = 0;
    for (let i = 0, j = 0; i < this.begins.length; i++) {
      while (j < this.ends.length && this.ends[j] <= this.begins[i]) { j++; depth--; }
      depth++;
      peak = Math.max(peak, depth);
    }
    return this.peakDepth = peak;
  }
}

/** A number that changes in steps, with the same functions as a DepthSeries. */
export class Steps {
  /** `values[i]` holds from `times[i]` to `times[i + 1]`; before the first it is `before`. */
  constructor(/** @type {number[]} */ times, /** @type {number[]} */ values, before = 0) {
    this.times = times;
    this.values = values;
    this.before = before;
    this.sums = new Float64Array(times.length);
    for (let i = 1; i < times.length; i++) {
      this.sums[i] = this.sums[i - 1] + values[i - 1] * (times[i] - times[i - 1]);
    }
  }

  /** The number of open intervals: one more at each begin, one less at each end. */
  static count(/** @type {number[]} */ begins, /** @type {number[]} */ ends) {
    const up = Float64Array.from(begins).sort(), down = Float64Array.from(ends).sort(), times = [], values = [];
    for (let i = 0, j = 0; i < up.length || j < down.length;) {
      const time = Math.min(i < up.length ? up[i] : Infinity, j < down.length ? down[j] : Infinity);
      while (up[i] === time) i++;
      while (down[j] === time) j++;
      times.push(time);
      values.push(i - j);
    }
    return new Steps(times, values);
  }

  at(/** @type {number} */ time) {
    const i = lowerBound(this.times, time + 0.5) - 1;
    return i < 0 ? this.before : this.values[i];
  }

  integral(/** @type {number} */ time) {
    if (!this.times.length) return this.before * time;
    const i = lowerBound(this.times, time) - 1;
    return i < 0 ? this.before * (time - this.times[0]) : this.sums[i] + this.values[i] * (time - this.times[i]);
  }

  /** @type {Series['sample']} */
  sample(from, to, count, into) { return sampleIntegral(this, from, to, count, into); }

  peak() { return this.values.reduce((most, value) => Math.max(most, value), this.before); }
}
