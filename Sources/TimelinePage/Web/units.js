// Formats numbers for display. Times are nanoseconds since the trace's first event record.

export const NBSP = '\u00a0';

/** Three significant digits and a suitable unit: 940 ns, 1.24 µs, 83.0 ms, 12.5 s. */
export function formatDuration(/** @type {number} */ ns) {
  const size = Math.abs(ns);
  if (size < 999.5) return Math.round(ns) + NBSP + 'ns';
  const [value, unit] = size < 999500 ? [ns / 1e3, 'µs'] : size < 999500000 ? [ns / 1e6, 'ms'] : [ns / 1e9, 's'];
  const digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
  return value.toFixed(digits) + NBSP + unit;
}

/** An instant in the unit of the axis, which ends at `last`, with the digits that `step` of the axis needs. */
export function formatInstant(/** @type {number} */ ns, /** @type {number} */ step, /** @type {number} */ last) {
  const [scale, unit] = last >= 1e9 ? [1e9, 's'] : last >= 1e6 ? [1e6, 'ms'] : [1e3, 'µs'];
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9)));
  return (ns / scale).toFixed(digits) + NBSP + unit;
}

/** An instant to a tenth of a microsecond, for comparison with others. */
export function formatPoint(/** @type {number} */ ns) {
  return (ns < 1e9 ? (ns / 1e6).toFixed(4) + NBSP + 'ms' : (ns / 1e9).toFixed(7) + NBSP + 's');
}

/** A number with thousands separators, as in the texts of findings: 1,234,567. */
export function formatCount(/** @type {number} */ count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(/** @type {number} */ count, /** @type {string} */ noun) {
  return formatCount(count) + NBSP + noun + (count === 1 ? '' : 's');
}

export function formatPercent(/** @type {number} */ share) {
  const percent = share * 100;
  return (percent > 0 && percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)) + '%';
}

/** The distance between ticks: 1, 2 or 5 times a power of ten, at least `span / count`. */
export function tickStep(/** @type {number} */ span, /** @type {number} */ count) {
  const raw = Math.max(1, span / count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/** Makes control and direction characters visible, because labels come from the traced program. */
export function printable(/** @type {string} */ text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** The label with a star for each number: the common form of the labels of one group. */
export function labelPattern(/** @type {string} */ label) { return label.replace(/\d+/g, '*'); }

/** The common part of the labels, with a star where they differ. Without a common word, the first labels. */
export function commonLabel(/** @type {string[]} */ labels) {
  const patterns = new Set(labels.map(labelPattern));
  let [shared] = patterns;
  if (patterns.size > 1) {
    [shared] = labels;
    for (const label of labels) while (!label.startsWith(shared)) shared = shared.slice(0, -1);
    shared += '*';
  }
  return /\p{L}/u.test(shared) ? shared : labels.slice(0, 3).join(', ') + (labels.length > 3 ? ', …' : '');
}

/** The file and line of code. They are at the end of a symbol name: `closure #1 in Shop.run() (Shop/Cart.swift:31)`. */
export function briefCode(/** @type {string} */ named) {
  const code = (/\(([^()]+:\d+)\)$/.exec(named) || [])[1] || named, isPath = code.includes('/') && !code.includes(' ');
  return printable(isPath ? code.slice(code.lastIndexOf('/') + 1) : code);
}
