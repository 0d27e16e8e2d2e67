// The view in the page's address: `#from-to/F1`, nanoseconds. A link to a place in a trace can be sent to a colleague.

class Address {
  static read(trace) {
    const match = /^#(-?\d+)-(-?\d+)(?:\/(F\d+)?)?$/.exec(location.hash);
    if (!match || Number(match[2]) <= Number(match[1])) return null;
    const finding = trace.findings.find((entry) => entry.id === match[3]) || null;
    return { from: Number(match[1]), to: Number(match[2]), finding };
  }

  /** Writes when the view has been still for a moment: browsers limit how often. */
  static write(view, finding) {
    clearTimeout(Address.timer);
    Address.timer = setTimeout(() => {
      const hash = `#${Math.round(view.from)}-${Math.round(view.to)}/${finding ? finding.id : ''}`;
      try { history.replaceState(null, '', hash); } catch { /* A sandboxed page has no address to change. */ }
    }, 250);
  }
}
