// The intervals of several queues as one list. Samples and the peak need no common order of a million intervals. The
// intervals are sorted only when single intervals are needed.

import { peakOf, sampleLists } from './peak.js';

export class Union {
  /**
   * @param {Intervals[]} parts
   * @param {() => Intervals} join returns all intervals in the order of begin
   */
  constructor(parts, join) {
    this.parts = parts;
    this.join = join;
    /** @type {BinnedDepth | null} the depth of the items that were left out; see LeftOut */
    this.leftOut = null;
    /** @type {Intervals | null} */
    this.joined = null;
    /** @type {number | null} */
    this.knownPeak = null;
    this.looked = 0;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  get all() {
    if (!this.joined) {
      this.joined = this.join();
      this.joined.leftOut = this.leftOut;
    }
    return this.joined;
  }

  get begins() { return this.all.begins; }
  get ends() { return this.all.ends; }
  row(/** @type {number} */ position) { return this.all.row(position); }
  range(/** @type {number} */ from, /** @type {number} */ to) { return this.all.range(from, to); }

  peak() { return this.knownPeak ??= peakOf(this.parts, this.leftOut); }

  /** @type {Series['sample']} writes the average depth of `count` equal parts of [from, to) into an array */
  sample(from, to, count, into) {
    for (const part of this.parts) {
      const [first, last] = part.range(from, to);
      this.looked += last - first;
    }
    if (this.joined || this.looked > this.length) return this.all.sample(from, to, count, into);
    sampleLists(this.parts, from, to, count, into);
    if (this.leftOut) this.leftOut.addTo(into, from, to);
    return into;
  }
}
