// Texts of the report, made short enough for a picture: code is named by its file and line there, and the whole name is
// shown where the pointer rests.
//
//   at closure #2 in ImageCache.run(repaired:) (Scenarios/ImageCache.swift:36)   →   at ImageCache.swift:36

import { element } from '../panels/page_element.js';
import { groupBy } from '../trace/columns.js';
import { NBSP, printable } from '../units.js';

export class BriefText {
  constructor(/** @type {Trace} */ trace) {
    this.trace = trace;
    // By the place in which they end: names that a text can contain.
    this.names = groupBy(trace.meta.codes, (code) => (/\(([^()\s]+:\d+)\)$/.exec(code) || [])[1]);
    // A name that contains another one is to be found first.
    for (const list of this.names.values()) list.sort((a, b) => b.length - a.length);
    // By the report's name of a thread, where the page has another one.
    this.threads = new Map(trace.threads.map(({ name, tid }, thread) => [`${name} ${tid}`, trace.threadLabel(thread)])
      .filter(([name, label]) => name !== label));
    const names = new Set(trace.threads.map((thread) => thread.name).filter((name) => name));
    const pattern = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
    this.threadName = pattern ? new RegExp(`(?:${pattern}) \\d+`, 'g') : null;
  }

  /** The pieces of a text: { text, whole }, where `whole` is the name that stands behind a short one. */
  pieces(text) {
    const pieces = [];
    if (this.threadName) text = text.replace(this.threadName, (name) => this.threads.get(name) || name);
    let start = 0;
    for (const match of text.matchAll(/\(([^()\s]+:\d+)\)/g)) {
      const end = match.index + match[0].length, known = this.names.get(match[1]) || [];
      const whole = known.find((name) => text.slice(start, end).endsWith(name));
      if (!whole) continue;
      pieces.push({ text: text.slice(start, end - whole.length), whole: '' },
        { text: match[1].slice(match[1].lastIndexOf('/') + 1), whole });
      start = end;
    }
    return [...pieces, { text: text.slice(start), whole: '' }].filter((piece) => piece.text);
  }

  /** In one piece. */
  text(text) { return shown(this.pieces(text).map((piece) => piece.text).join('')); }

  nodes(text) {
    return this.pieces(text).map((piece) => piece.whole
      ? element('span', { className: 'place', title: printable(piece.whole) }, printable(piece.text))
      : shown(piece.text));
  }
}

/** A number stays on the line of its unit. */
function shown(text) { return printable(text).replace(/(\d) (?=(?:ns|µs|ms|s|%)(?![A-Za-z]))/g, '$1' + NBSP); }
