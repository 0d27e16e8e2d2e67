// Positions in the tables of two joined traces: the entries of the first trace come first, so positions of the second
// move by the sizes of the first trace's tables.

/** The sizes of no tables, for the first trace. */
export const NO_SHIFT = { items: 0, queues: 0, threads: 0, codes: 0, locks: 0, sources: 0, strings: 0, shapes: 0,
  objects: 0 };

/**
 * A copy of an entry of the second trace. Each key of `tables` is a position in that table. Negative positions mean
 * "none" in every table and are not shifted.
 *
 * @template {{}} Entry
 * @param {Entry} entry
 * @param {{ [Key in keyof Entry]?: keyof Shift }} tables
 * @param {Shift} shift
 * @returns {Entry}
 */
export function shifted(entry, tables, shift) {
  /** @type {Record<string, unknown>} */
  const moved = {};
  for (const [key, table] of /** @type {[string, keyof Shift][]} */ (Object.entries(tables))) {
    const value = entry[/** @type {keyof Entry} */ (key)];
    if (typeof value === 'number' && value >= 0) moved[key] = value + shift[table];
  }
  return Object.assign({}, entry, moved);
}

/**
 * The entries of a table of both traces; see `shifted`.
 *
 * @template {{}} Entry
 * @param {Entry[]} one
 * @param {Entry[]} other
 * @param {{ [Key in keyof Entry]?: keyof Shift }} tables
 * @param {Shift} shift
 */
export function joined(one, other, tables, shift) {
  return one.concat(other.map((entry) => shifted(entry, tables, shift)));
}
