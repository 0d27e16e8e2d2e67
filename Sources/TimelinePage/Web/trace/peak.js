// The largest number of intervals that are open at once, without sorting them. Begins and ends are counted in bins of
// time:
//
//   bin          0    1    2    3
//   begins       2    1    0    1
//   ends         0    1    1    1
//   open before  0    2    2    1
//
// The depth before a bin is exact. Within the bin it rises by at most the number of the bin's begins. Only bins that
// could exceed the largest exact depth are examined begin by begin: here bin 1, from 2 to at most 3.

import { sortTimes } from './columns.js';
import { sampleIntervals } from './depth.js';

/** The largest depth of several lists together, including the items that were left out. */
export function peakOf(/** @type {Intervals[]} */ lists, /** @type {BinnedDepth | null} */ leftOut) {
  const peak = peakDepth(lists);
  return leftOut ? leftOut.peakWith(peak, (from, to, count, into) => sampleLists(lists, from, to, count, into)) : peak;
}

/**
 * The average depth of `count` equal parts of [from, to) of several lists together, in one pass over their intervals.
 */
export function sampleLists(/** @type {Intervals[]} */ lists, /** @type {number} */ from, /** @type {number} */ to,
  /** @type {number} */ count, /** @type {Float64Array} */ into) {
  into.fill(0);
  for (const list of lists) {
    const { begins, ends } = list, [first, last] = list.range(from, to);
    if (first === last) continue;
    const samples = sampleIntervals(begins.subarray(first, last), ends.subarray(first, last), from, to, count);
    for (let i = 0; i < count; i++) into[i] += samples[i];
  }
  return into;
}

/** An interval that ends when another begins does not overlap with it. */
function peakDepth(/** @type {Intervals[]} */ lists) {
  const filled = lists.filter((list) => list.length > 0), count = filled.reduce((sum, list) => sum + list.length, 0);
  if (!count) return 0;
  // About as many bins as intervals.
  const from = Math.min(...filled.map(({ begins }) => begins[0]));
  const to = Math.max(...filled.map(({ reach, length }) => reach[length - 1]));
  const bins = 2 ** (32 - Math.clz32(count)), scale = (bins - 1) / Math.max(1, to - from);
  // For each bin, next to each other: its begins, and the change of the depth over the bin.
  const counts = new Int32Array(2 * bins);
  for (const { begins, ends } of filled) {
    for (let i = 0; i < begins.length; i++) {
      const first = ((begins[i] - from) * scale | 0) << 1, last = ((ends[i] - from) * scale | 0) << 1;
      counts[first]++;
      counts[first + 1]++;
      counts[last + 1]--;
    }
  }
  let peak = 0;
  for (let bin = 0, open = 0; bin < bins; bin++) {
    if (open > peak) peak = open;
    open += counts[2 * bin + 1];
  }
  const isCandidate = new Uint8Array(bins), openBefore = [];
  for (let bin = 0, open = 0; bin < bins; bin++) {
    if (open + counts[2 * bin] > peak) {
      isCandidate[bin] = 1;
      openBefore.push(open);
    }
    open += counts[2 * bin + 1];
  }
  const up = [], down = [];
  for (const { begins, ends } of filled) {
    for (let i = 0; i < begins.length; i++) {
      if (isCandidate[(begins[i] - from) * scale | 0]) up.push(begins[i]);
      if (isCandidate[(ends[i] - from) * scale | 0]) down.push(ends[i]);
    }
  }
  const begins = sortTimes(Float64Array.from(up)), ends = sortTimes(Float64Array.from(down));
  // Every candidate bin has a begin.
  for (let i = 0, j = 0, next = 0, bin = -1, open = 0; i < begins.length; i++) {
    const own = (begins[i] - from) * scale | 0;
    if (own !== bin) {
      bin = own;
      open = openBefore[next++];
      while (j < ends.length && ((ends[j] - from) * scale | 0) < bin) j++;
    }
    for (; j < ends.length && ends[j] <= begins[i]; j++) open--;
    if (++open > peak) peak = open;
  }
  return peak;
}
