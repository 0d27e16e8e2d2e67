// The load of queues and threads by the items that were left out of the page, in bins of time. Depth curves add it to
// the items of the page, so that curves are correct everywhere, and the page can show where detail is missing.

import { lowerBound } from './columns.js';
import { DepthSeries, sampleIntegral } from './depth.js';

/** A number per bin, as a depth: the average number of items at a time. Missing bins are empty. */
export class BinnedDepth {
  /** `bins` are ascending; `shares` are in units of `width`. */
  constructor(/** @type {number} */ width, /** @type {Int32Array} */ bins, /** @type {Float64Array} */ shares) {
    this.width = width;
    this.bins = bins;
    this.shares = shares;
    this.sums = new Float64Array(bins.length + 1);
    for (let i = 0; i < bins.length; i++) this.sums[i + 1] = this.sums[i] + shares[i] * width;
  }

  /** The sum of several binned depths. */
  static sum(/** @type {BinnedDepth[]} */ parts) {
    /** @type {Map<number, number>} */
    const total = new Map();
    for (const { bins, shares } of parts) bins.forEach((bin, i) => total.set(bin, (total.get(bin) || 0) + shares[i]));
    const bins = Int32Array.from(total.keys()).sort();
    return new BinnedDepth(parts[0].width, bins, Float64Array.from(bins, (bin) => total.get(bin) || 0));
  }

  at(/** @type {number} */ time) {
    const i = lowerBound(this.bins, Math.floor(time / this.width));
    return this.bins[i] === Math.floor(time / this.width) ? this.shares[i] : 0;
  }

  /** @type {Series['sample']} */
  sample(from, to, count, into) { return sampleIntegral(this, from, to, count, into); }

  /** Adds this depth to the averages of equal parts of [from, to). */
  addTo(/** @type {Float64Array} */ samples, /** @type {number} */ from, /** @type {number} */ to) {
    const own = this.sample(from, to, samples.length, new Float64Array(samples.length));
    for (let i = 0; i < samples.length; i++) samples[i] += own[i];
    return samples;
  }

  /**
   * The largest depth of these items together with the items of the page. Where all items are in the page it is exact,
   * otherwise it is the largest average of a bin.
   * `peak` is the largest depth of the items of the page. `sample` returns their averages, as `sample` of a series
   * does.
   */
  peakWith(/** @type {number} */ peak, /** @type {Series['sample']} */ sample) {
    const { bins, shares, width } = this, first = bins[0], count = bins[bins.length - 1] - first + 1;
    const averages = sample(first * width, (first + count) * width, count, new Float64Array(count));
    bins.forEach((bin, i) => { peak = Math.max(peak, shares[i] + averages[bin - first]); });
    return peak;
  }

  integral(/** @type {number} */ time) {
    const bin = Math.floor(time / this.width), i = lowerBound(this.bins, bin);
    return this.sums[i] + (this.bins[i] === bin ? this.shares[i] * (time - bin * this.width) : 0);
  }
}

/** A DepthSeries plus the items that were left out of it, with the same functions. */
export class WholeDepth {
  constructor(/** @type {Float64Array} */ begins, /** @type {Float64Array} */ ends,
    /** @type {BinnedDepth} */ leftOut) {
    this.exact = new DepthSeries(begins, ends);
    this.leftOut = leftOut;
  }

  at(/** @type {number} */ time) { return this.exact.at(time) + this.leftOut.at(time); }
  integral(/** @type {number} */ time) { return this.exact.integral(time) + this.leftOut.integral(time); }

  /** @type {Series['sample']} */
  sample(from, to, count, into) {
    return this.leftOut.addTo(this.exact.sample(from, to, count, into), from, to);
  }
}

/**
 * The entries of two maps. Keys of the second map are shifted.
 *
 * @template Value
 * @param {Map<number, Value>} one
 * @param {Map<number, Value>} other
 * @param {number} shift
 */
export function joinMaps(one, other, shift) {
  const joined = new Map(one);
  for (const [key, value] of other) joined.set(key + shift, value);
  return joined;
}

/**
 * The bins of a queue, the number of left-out items that began before each bin, and the merged bins.
 * @typedef {{ bins: Int32Array, before: Float64Array, ranges: LeftOutRange[] | null }} LeftOutTotals
 */

/** @typedef {TimeRange & { items: number }} LeftOutRange */

export class LeftOut {
  constructor(/** @type {Histogram} */ queues, /** @type {Histogram} */ threads) {
    this.queues = queues;
    this.threads = threads;
    /** @type {Map<number, LeftOutTotals>} */
    this.cache = new Map();
  }

  /** Joins the left-out items of two traces. The bins have the larger of the two widths. */
  static join(/** @type {LeftOut} */ one, /** @type {LeftOut} */ other, /** @type {Shift} */ shift) {
    const join = (/** @type {Histogram} */ a, /** @type {Histogram} */ b, /** @type {number} */ add) => {
      const width = Math.max(a.width, b.width);
      return { width, series: joinMaps(LeftOut.widened(a, width), LeftOut.widened(b, width), add) };
    };
    return new LeftOut(join(one.queues, other.queues, shift.queues), join(one.threads, other.threads, shift.threads));
  }

  /** Merges bins to a larger width. Widths are powers of two apart. */
  static widened(/** @type {Histogram} */ { width, series }, /** @type {number} */ wider) {
    if (width === wider) return series;
    const factor = wider / width;
    /** @type {Histogram['series']} */
    const result = new Map();
    for (const [position, one] of series) {
      /** @type {Record<keyof LeftOutBins, number[]>} */
      const { bins, items, busy, waiting } = { bins: [], items: [], busy: [], waiting: [] };
      one.bins.forEach((bin, i) => {
        const target = Math.floor(bin / factor);
        if (bins[bins.length - 1] !== target) { bins.push(target); items.push(0); busy.push(0); waiting.push(0); }
        const last = bins.length - 1;
        items[last] += one.items[i];
        busy[last] += one.busy[i] / factor;
        waiting[last] += one.waiting[i] / factor;
      });
      result.set(position, { bins: Int32Array.from(bins), items: Float64Array.from(items),
        busy: Float64Array.from(busy), waiting: Float64Array.from(waiting) });
    }
    return result;
  }

  get isEmpty() { return this.queues.series.size === 0; }

  /** The positions of the queues with left-out items. */
  get queuePositions() { return [...this.queues.series.keys()]; }

  /**
   * The depths of the queues or threads at some positions.
   * @type {(table: Histogram, positions: number[], what: 'busy' | 'waiting') => BinnedDepth[]}
   */
  static depths({ width, series }, positions, what) {
    return positions.flatMap((position) => {
      const one = series.get(position);
      return one ? [new BinnedDepth(width, one.bins, one[what])] : [];
    });
  }

  /**
   * Adds the left-out items of these queues to the averages of equal parts of [from, to).
   *
   * @param {Float64Array} samples
   * @param {number[]} queues
   * @param {'busy' | 'waiting'} what
   * @param {number} from
   * @param {number} to
   */
  addTo(samples, queues, what, from, to) {
    const parts = LeftOut.depths(this.queues, queues, what);
    return parts.length ? BinnedDepth.sum(parts).addTo(samples, from, to) : samples;
  }

  /**
   * Adds the left-out items to the intervals of a queue or thread.
   *
   * @template {{ leftOut: BinnedDepth | null }} Target
   * @param {Target} intervals
   * @param {Histogram} table
   * @param {number[]} positions
   * @param {'busy' | 'waiting'} what
   */
  complete(intervals, table, positions, what) {
    const parts = LeftOut.depths(table, positions, what);
    if (parts.length) intervals.leftOut = parts.length === 1 ? parts[0] : BinnedDepth.sum(parts);
    return intervals;
  }

  hasQueue(/** @type {number} */ queue) { return this.queues.series.has(queue); }
  hasThread(/** @type {number} */ thread) { return this.threads.series.has(thread); }

  /**
   * The bins of a queue (of all queues when `queue` is negative), and the number of items that had begun before each
   * bin.
   */
  totals(queue = -1) {
    const known = this.cache.get(queue), { series } = this.queues;
    if (known) return known;
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const one of queue < 0 ? series.values() : [series.get(queue)]) {
      if (one) one.bins.forEach((bin, i) => counts.set(bin, (counts.get(bin) || 0) + one.items[i]));
    }
    const bins = Int32Array.from(counts.keys()).sort(), before = new Float64Array(bins.length + 1);
    bins.forEach((bin, i) => { before[i + 1] = before[i] + (counts.get(bin) || 0); });
    /** @type {LeftOutTotals} */
    const totals = { bins, before, ranges: null };
    this.cache.set(queue, totals);
    return totals;
  }

  /**
   * The number of left-out items of a queue (of all queues when `queue` is negative) that began in [from, to), in whole
   * bins.
   */
  items(/** @type {number} */ from, /** @type {number} */ to, queue = -1) {
    const { width } = this.queues, { bins, before } = this.totals(queue);
    return before[lowerBound(bins, Math.ceil(to / width))] - before[lowerBound(bins, Math.floor(from / width))];
  }

  /**
   * The intervals in which items of a queue (of any queue when `queue` is negative) were left out, in order of time.
   * Adjacent intervals are merged.
   */
  ranges(queue = -1) {
    const totals = this.totals(queue), { width } = this.queues;
    if (totals.ranges) return totals.ranges;
    /** @type {LeftOutRange[]} */
    const ranges = [];
    totals.bins.forEach((bin, i) => {
      const last = ranges[ranges.length - 1], items = totals.before[i + 1] - totals.before[i];
      if (last && last.to === bin * width) {
        last.to += width;
        last.items += items;
      } else ranges.push({ from: bin * width, to: (bin + 1) * width, items });
    });
    totals.ranges = ranges;
    return ranges;
  }
}
