// Columns of numbers: search, gather by position, sort. Times are whole nanoseconds below 2^48. A sort by value takes a
// tenth of the time of a sort by comparison.

export function lowerBound(/** @type {ArrayLike<number>} */ sorted, /** @type {number} */ value, from = 0,
  to = sorted.length) {
  while (from < to) {
    const middle = from + to >>> 1;
    if (sorted[middle] < value) from = middle + 1; else to = middle;
  }
  return from;
}

/** The first of `count` positions for which `isBefore` is false. It is true for all positions before that. */
export function partition(/** @type {number} */ count, /** @type {(position: number) => boolean} */ isBefore) {
  let from = 0, to = count;
  while (from < to) {
    const middle = from + to >>> 1;
    if (isBefore(middle)) from = middle + 1; else to = middle;
  }
  return from;
}

/**
 * The entry with the median of a measure; undefined without entries. Sorts the entries.
 *
 * @template Entry
 * @param {Entry[]} entries
 * @param {(entry: Entry) => number} measure
 * @returns {Entry | undefined}
 */
export function median(entries, measure) {
  return entries.sort((a, b) => measure(a) - measure(b))[entries.length >> 1];
}

/**
 * Groups entries by key and keeps their order. Entries without a key are omitted. Older browsers have no Map.groupBy.
 *
 * @template Entry, Key
 * @param {Iterable<Entry>} entries
 * @param {(entry: Entry) => Key} keyOf
 */
export function groupBy(entries, keyOf) {
  /** @type {Map<Key, Entry[]>} */
  const groups = new Map();
  for (const entry of entries) {
    const key = keyOf(entry), group = groups.get(key);
    if (group) group.push(entry); else if (key !== undefined) groups.set(key, [entry]);
  }
  return groups;
}

/** As lowerBound, for a value that is not before `sorted[from]` and is probably near. */
export function lowerBoundAfter(/** @type {ArrayLike<number>} */ sorted, /** @type {number} */ value,
  /** @type {number} */ from) {
  let step = 1, to = from;
  while (to < sorted.length && sorted[to] < value) { from = to + 1; to += step; step *= 2; }
  return lowerBound(sorted, value, from, Math.min(to, sorted.length));
}

/** The times at some positions. A function that always gets the same type of array takes a quarter of the time. */
export function gatherTimes(/** @type {Float64Array} */ times, /** @type {Uint32Array} */ rows) {
  const gathered = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = times[rows[i]];
  return gathered;
}

/** The rows at some positions. */
export function gatherRows(/** @type {Uint32Array} */ rows, /** @type {Uint32Array} */ order) {
  const gathered = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) gathered[i] = rows[order[i]];
  return gathered;
}

function isAscending(/** @type {Float64Array} */ values) {
  for (let i = 1; i < values.length; i++) if (values[i] < values[i - 1]) return false;
  return true;
}

/** The positions of `values` in ascending order. Equal values keep their order. */
export function timeOrder(/** @type {Float64Array} */ values) { return ordered(values).order; }

/**
 * The positions in ascending order, and the values at them.
 * @returns {{ order: Uint32Array, times: Float64Array }}
 */
export function ordered(/** @type {Float64Array} */ values) {
  const isSorted = isAscending(values), found = isSorted || values.length < 512 ? null : bucketSorted(values, true);
  if (found && found.order) return { order: found.order, times: found.times };
  const order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (isSorted) return { order, times: values };
  if (values.length < 512) order.sort((a, b) => values[a] - values[b] || a - b);
  else order.set(radixSorted(values, order.slice()).order);
  return { order, times: gatherTimes(values, order) };
}

/** Sorts in place. */
export function sortTimes(/** @type {Float64Array} */ values) {
  if (isAscending(values)) return values;
  if (values.length < 512) return values.sort();
  const sorted = bucketSorted(values, false);
  if (sorted) {
    values.set(sorted.times);
    return values;
  }
  const { low, high } = radixSorted(values, new Uint32Array(0));
  for (let i = 0; i < values.length; i++) values[i] = high[i] * 2 ** 32 + low[i];
  return values;
}

/**
 * Distributes the times over equal parts of their range and sorts within each part. This takes one pass, while radix
 * sort takes three or four. Returns { order (null unless `hasOrder`), times }, or null when too many times are in few
 * parts.
 */
function bucketSorted(/** @type {Float64Array} */ values, /** @type {boolean} */ hasOrder) {
  const count = values.length, buckets = 2 ** (30 - Math.clz32(count));
  let least = values[0], largest = values[0];
  for (let i = 1; i < count; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > largest) largest = values[i];
  }
  const scale = (buckets - 1) / (largest - least), starts = new Uint32Array(buckets + 1);
  for (let i = 0; i < count; i++) starts[((values[i] - least) * scale | 0) + 1]++;
  let work = 0;
  for (let bucket = 1; bucket <= buckets; bucket++) {
    work += starts[bucket] * starts[bucket];
    starts[bucket] += starts[bucket - 1];
  }
  if (work > 40 * count) return null;
  const sorted = new Float64Array(count), positions = hasOrder ? new Uint32Array(count) : null;
  for (let i = 0; i < count; i++) {
    const value = values[i], to = starts[(value - least) * scale | 0]++;
    sorted[to] = value;
    if (positions) positions[to] = i;
  }
  // Unsorted neighbours are in the same bucket, so no value moves far.
  for (let i = 1; i < count; i++) {
    const value = sorted[i];
    if (sorted[i - 1] <= value) continue;
    const position = positions ? positions[i] : 0;
    let to = i;
    for (; to > 0 && sorted[to - 1] > value; to--) {
      sorted[to] = sorted[to - 1];
      if (positions) positions[to] = positions[to - 1];
    }
    sorted[to] = value;
    if (positions) positions[to] = position;
  }
  return { order: positions, times: sorted };
}

/**
 * Radix sort by 11 bits per pass, whose 2048 counters stay in the cache. The times are moved in each pass, so that
 * every pass reads in order. `order` is moved along; it is empty for none.
 */
function radixSorted(/** @type {Float64Array} */ values, /** @type {Uint32Array} */ order) {
  const count = values.length, hasOrder = order.length > 0, starts = new Uint32Array(2048);
  let low = new Uint32Array(count), high = new Uint32Array(count), largest = 0;
  for (let i = 0; i < count; i++) if (values[i] > largest) largest = values[i];
  const isLong = largest >= 2 ** 32;
  for (let i = 0; i < count; i++) {
    const value = Math.max(0, values[i]);
    low[i] = value;
    if (isLong) high[i] = value / 2 ** 32;
  }
  let nextLow = new Uint32Array(count), nextHigh = new Uint32Array(count), nextOrder = new Uint32Array(order.length);
  for (let bit = 0; bit < 48 && 2 ** bit <= largest; bit += bit === 22 ? 10 : 11) {
    const keys = bit < 32 ? low : high, shift = bit % 32;
    starts.fill(0);
    for (let i = 0; i < count; i++) starts[keys[i] >>> shift & 2047]++;
    for (let digit = 0, sum = 0; digit < 2048; digit++) {
      const size = starts[digit];
      starts[digit] = sum;
      sum += size;
    }
    for (let i = 0; i < count; i++) {
      const to = starts[keys[i] >>> shift & 2047]++;
      nextLow[to] = low[i];
      if (isLong) nextHigh[to] = high[i];
      if (hasOrder) nextOrder[to] = order[i];
    }
    [low, nextLow] = [nextLow, low];
    [high, nextHigh] = [nextHigh, high];
    [order, nextOrder] = [nextOrder, order];
  }
  return { low, high, order };
}
