// Shortens the texts of the report for the picture: code is named by its file and line only. The tooltip has the whole
// name.
//
//   at closure #2 in ImageCache.run(repaired:) (Scenarios/ImageCache.swift:36)   →   at ImageCache.swift:36

import { element } from '../panels/page_element.js';
import { groupBy } from '../trace/columns.js';
import { NBSP, printable } from '../units.js';

export class BriefText {
  constructor(/** @type {Trace} */ trace) {
    // Names of code by the file and line at their end.
    this.names = groupBy(trace.meta.codes, (code) => (/\(([^()\s]+:\d+)\)$/.exec(code) || [])[1]);
    // A name that contains a shorter name must be tried first.
    for (const list of this.names.values()) list.sort((a, b) => b.length - a.length);
    // The page's name of a thread by the report's name, where the two differ.
    /** @type {Map<string, string>} */
    this.threads = new Map();
    trace.threads.forEach(({ name, tid }, thread) => this.threads.set(`${name} ${tid}`, trace.labels.thread(thread)));
    const names = new Set(trace.threads.map((thread) => thread.name).filter((name) => name));
    const pattern = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
    this.threadName = pattern ? new RegExp(`(?:${pattern}) \\d+`, 'g') : null;
  }

  /**
   * The pieces of a text. `whole` is the full name of a shortened piece, and `place` its file and line. Both are empty
   * for other pieces.
   */
  pieces(/** @type {string} */ text) {
    const pieces = [], plain = { whole: '', place: '' };
    if (this.threadName) text = text.replace(this.threadName, (name) => this.threads.get(name) || name);
    let start = 0;
    for (const match of text.matchAll(/\(([^()\s]+:\d+)\)/g)) {
      const end = (match.index || 0) + match[0].length, known = this.names.get(match[1]) || [];
      const whole = known.find((name) => text.slice(start, end).endsWith(name));
      if (!whole) continue;
      pieces.push({ text: text.slice(start, end - whole.length), ...plain },
        { text: match[1].slice(match[1].lastIndexOf('/') + 1), whole, place: match[1] });
      start = end;
    }
    return [...pieces, { text: text.slice(start), ...plain }].filter((piece) => piece.text);
  }

  /** The shortened text as one string. */
  text(/** @type {string} */ text) { return shown(this.pieces(text).map((piece) => piece.text).join('')); }

  /** `links`: makes links of code; null for a text that is part of a button. */
  nodes(/** @type {string} */ text, /** @type {SourceLinks | null} */ links = null) {
    return this.pieces(text).map((piece) => {
      if (!piece.whole) return links ? links.nodes(shown(piece.text)) : shown(piece.text);
      const name = element('span', { className: 'place', title: printable(piece.whole) }, printable(piece.text));
      return links ? links.of(piece.place, name) : name;
    });
  }
}

/** Joins a number and its unit with a no-break space, so that a line never ends between them. */
function shown(/** @type {string} */ text) {
  return printable(text).replace(/(\d) (?=(?:ns|µs|ms|s|%)(?![A-Za-z]))/g, '$1' + NBSP);
}
