// How many intervals are open at a time, exactly, at any zoom and in logarithmic time.
//
// With the begins and the ends each sorted, and their running sums, the integral of the depth up to t is
//
//     F(t) = Σ over begins b ≤ t of (t − b)  −  Σ over ends e ≤ t of (t − e)
//
// and the average depth of a pixel [a, b) is (F(b) − F(a)) / (b − a). So a pixel costs two binary searches, whether it
// covers one item or a million, and there are no levels of detail to build, store or switch between.

function lowerBound(sorted, value, from = 0, to = sorted.length) {
  while (from < to) {
    const middle = from + to >>> 1;
    if (sorted[middle] < value) from = middle + 1; else to = middle;
  }
  return from;
}

/** The averages of `count` equal parts of [from, to), of a series that knows its integral. */
function sampleIntegral(series, from, to, count, into) {
  const width = (to - from) / count;
  let before = series.integral(from);
  for (let i = 0; i < count; i++) {
    const after = series.integral(from + (i + 1) * width);
    into[i] = Math.max(0, (after - before) / width);
    before = after;
  }
  return into;
}

class DepthSeries {
  /** Takes the arrays over; sorts them. */
  constructor(begins, ends) {
    this.begins = DepthSeries.sorted(begins);
    this.ends = DepthSeries.sorted(ends);
    this.beginSums = DepthSeries.sums(begins);
    this.endSums = DepthSeries.sums(ends);
    this.peakDepth = -1;
  }

  /** Begins mostly arrive sorted, and a look is cheaper than a sort. */
  static sorted(times) {
    for (let i = 1; i < times.length; i++) if (times[i] < times[i - 1]) return times.sort();
    return times;
  }

  static sums(sorted) {
    const sums = new Float64Array(sorted.length + 1);
    for (let i = 0; i < sorted.length; i++) sums[i + 1] = sums[i] + sorted[i];
    return sums;
  }

  integral(time) {
    const begun = lowerBound(this.begins, time), ended = lowerBound(this.ends, time);
    return begun * time - this.beginSums[begun] - (ended * time - this.endSums[ended]);
  }

  /** The depth right after `time`. */
  at(time) { return lowerBound(this.begins, time + 0.5) - lowerBound(this.ends, time + 0.5); }

  /** The average depth of `count` equal parts of [from, to). */
  sample(from, to, count, into) { return sampleIntegral(this, from, to, count, into); }

  /** The largest depth at any time. */
  peak() {
    if (this.peakDepth >= 0) return this.peakDepth;
    let depth = 0, peak = 0, time = 0;
    for (let i = 0, j = 0; i < this.begins.length; i++) {
      while (j < this.ends.length && this.ends[j] <= this.begins[i]) { j++; depth--; }
      depth++;
      if (depth > peak) { peak = depth; time = this.begins[i]; }
    }
    this.peakTime = time;
    return this.peakDepth = peak;
  }
}
