// Elements of the page. Texts become text nodes, never markup, because labels and messages come from the traced
// program.

import { formatDuration, printable } from '../units.js';

/**
 * An element of the template. The caller expects its type.
 *
 * @template {HTMLElement} Type
 * @param {string} id
 */
export function byId(id) { return /** @type {Type} */ (document.getElementById(id)); }

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | ((event: Event) => void)>} [properties] functions are listeners
 * @param {...Child} children
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name.includes('-') || name === 'role') node.setAttribute(name, String(value));
    else Object.assign(node, { [name]: value });
  }
  // The type of `flat` has no recursion.
  const nodes = /** @type {(Node | string)[]} */ (children.flat(2));
  node.append(...nodes.filter((child) => child !== ''));
  return node;
}

/** Allows a line break after each slash of a path. */
function breakable(/** @type {string} */ text) {
  return String(text).split(/(?<=\/)/).flatMap((part, number) => number ? [document.createElement('wbr'), part]
    : [part]);
}

/** `links`: makes links of code in the values; null for a list that cannot be clicked. */
export function rowsOf(/** @type {(string[] | null)[]} */ pairs, /** @type {SourceLinks | null} */ links = null) {
  return element('dl', { className: 'facts' },
    pairs.flatMap((pair) => {
      if (!pair) return [];
      const [name, value] = pair, text = printable(value);
      return [element('dt', {}, printable(name)),
        element('dd', {}, links ? links.nodes(text, breakable) : breakable(text))];
    }));
}

/** A link to another place of this page. Unlike a button it is part of the text line. */
export function linkTo(/** @type {string} */ text, /** @type {() => void} */ action) {
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    action();
  };
  return element('a', { href: '#', className: 'link', onclick: go }, breakable(printable(text)));
}

/** A small square in the colour of a class. */
export function swatch(/** @type {string} */ name) { return element('i', { className: `swatch ${name}` }); }

/**
 * Draws the parts of a time as a bar, with a key.
 *
 * @param {string} title the meaning of the bar
 * @param {number[]} parts the times; their sum is the length of the bar
 * @param {{ title: string, meaning: string }[]} words the words for each part
 * @param {string} style the CSS class of the parts, without the number
 */
export function partsBar(title, parts, words, style) {
  const shown = parts.map((part, number) => {
    const { title: name, meaning } = words[number];
    return { part, number, name, meaning, text: `${name} ${formatDuration(part)}` };
  }).filter(({ part }) => part > 0);
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const bar = element('div', { className: 'parts', role: 'img',
    'aria-label': `${title}: ${shown.map(({ text }) => text).join(', ')}` });
  for (const { part, number, name, meaning } of shown) {
    const piece = element('span', { className: `part ${style}-${number}`,
      title: `${name}: ${formatDuration(part)}, ${meaning}` });
    piece.style.width = `${part / whole * 100}%`;
    bar.append(piece);
  }
  return [bar, element('ul', { className: 'key' }, shown.map(({ number, meaning, text }) =>
    element('li', { title: meaning }, swatch(`part ${style}-${number}`), text)))];
}

export function panelTitle(/** @type {string} */ text, /** @type {string} */ closing, /** @type {() => void} */ close) {
  return element('div', { className: 'title' }, element('h2', { tabIndex: -1 }, text),
    element('button', { type: 'button', className: 'close', 'aria-label': closing, onclick: close }, '×'));
}
