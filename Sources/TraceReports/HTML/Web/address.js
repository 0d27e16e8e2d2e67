// The state of the page in its address, so that a link to a place in a trace can be sent to a colleague:
//
//   #FROM-TO/FINDING/name=value/…     times in nanoseconds
//
// The names are range (FROM-TO), item, search, only (a filter), folded (keys with 0 or 1), scroll. What this file does
// not know, or what does not fit the trace, is passed over.

export class Address {
  /** @returns { from, to, finding, values: Map } or null when the address says nothing */
  static parse(hash) {
    const [view, finding = '', ...pairs] = hash.replace(/^#/, '').split('/'), times = Address.times(view);
    if (!times) return null;
    const values = new Map();
    for (const pair of pairs) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(pair) || [];
      try { if (name) values.set(name, decodeURIComponent(value)); } catch { /* A mangled link: the rest still holds. */ }
    }
    return { from: times[0], to: times[1], finding, values };
  }

  static times(text) {
    const match = /^(-?\d{1,18})-(-?\d{1,18})$/.exec(text || '');
    return match && Number(match[2]) > Number(match[1]) ? [Number(match[1]), Number(match[2])] : null;
  }

  static format(from, to, finding, values) {
    const pairs = [...values].filter(([, value]) => value !== '' && value !== null)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return '#' + [`${Math.round(from)}-${Math.round(to)}`, finding, ...pairs].join('/');
  }

  /** Writes when the page has been still for a moment: browsers limit how often. */
  static write(state) {
    clearTimeout(Address.timer);
    Address.timer = setTimeout(() => Address.writeNow(state), 250);
  }

  static writeNow(state) {
    try { history.replaceState(null, '', state()); } catch { /* A sandboxed page has no address to change. */ }
  }
}
