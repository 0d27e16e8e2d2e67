// Links from `File.swift:42` to the source, when the page was written with --links.

import { element } from './page_element.js';

export class SourceLinks {
  /** @param {Object<string, string>} urls the URLs by `File.swift:42` or `Module/File.swift:42` */
  constructor(urls) { this.urls = new Map(Object.entries(urls)); }

  /**
   * The pieces of a text: links, and the rest.
   *
   * @param {string} text a text without control characters
   * @param {(text: string) => (Node | string)[]} plain makes the nodes of a piece
   */
  nodes(text, plain = (piece) => [piece]) {
    const nodes = [];
    let start = 0;
    for (const match of this.urls.size ? text.matchAll(/[^\s()[\]{}<>"'`,;]+:\d+/g) : []) {
      const url = this.urls.get(match[0]), at = match.index || 0;
      if (!url) continue;
      nodes.push(...plain(text.slice(start, at)), this.link(url, plain(match[0])));
      start = at + match[0].length;
    }
    return [...nodes, ...plain(text.slice(start))];
  }

  /** A link around nodes, or the nodes when the place has no URL. */
  of(/** @type {string} */ place, /** @type {(Node | string)[]} */ ...nodes) {
    const url = this.urls.get(place);
    return url ? this.link(url, nodes) : nodes;
  }

  link(/** @type {string} */ url, /** @type {(Node | string)[]} */ nodes) {
    return element('a', { href: url, className: 'link', rel: 'noreferrer' }, nodes);
  }
}
