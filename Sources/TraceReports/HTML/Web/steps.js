// A number that changes in steps, with the same questions as a DepthSeries: what is it at a time, and on average in each
// pixel of a stretch.

import { lowerBound } from './columns.js';

export class Steps {
  /** `values[i]` holds from `times[i]` to `times[i + 1]`; before the first it is `before`. */
  constructor(times, values, before = 0) {
    this.times = times;
    this.values = values;
    this.before = before;
    this.sums = new Float64Array(times.length);
    for (let i = 1; i < times.length; i++) {
      this.sums[i] = this.sums[i - 1] + values[i - 1] * (times[i] - times[i - 1]);
    }
  }

  /** The number of the events of either list before each time: up at every begin, down at every end. */
  static count(begins, ends) {
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

  get length() { return this.times.length; }

  at(time) {
    const i = lowerBound(this.times, time + 0.5) - 1;
    return i < 0 ? this.before : this.values[i];
  }

  integral(time) {
    if (!this.times.length) return this.before * time;
    const i = lowerBound(this.times, time) - 1;
    return i < 0 ? this.before * (time - this.times[0]) : this.sums[i] + this.values[i] * (time - this.times[i]);
  }

  /** The average of `count` equal parts of [from, to). */
  sample(from, to, count, into) {
    const width = (to - from) / count;
    let before = this.integral(from);
    for (let i = 0; i < count; i++) {
      const after = this.integral(from + (i + 1) * width);
      into[i] = (after - before) / width;
      before = after;
    }
    return into;
  }

  peak() { return this.values.reduce((most, value) => Math.max(most, value), this.before); }
}
