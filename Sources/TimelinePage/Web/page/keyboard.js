// The keys. The help is generated from the same table, so it lists exactly the keys that exist.

import { element } from '../panels/page_element.js';

const BUTTON_KEYS = new Set(['Enter', ' ']);
const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/**
 * A line of the help. `shown` is its text of the keys.
 * @typedef {{ shown: string, title: string, keys: string[], run: () => void }} Command
 */

export class Keyboard {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.groups = Keyboard.groups(page);
    /** @type {Map<string, () => void>} the action of each key */
    this.commands = new Map();
    for (const { lines } of this.groups) {
      for (const { keys, run } of lines) for (const key of keys) this.commands.set(key, run);
    }
    document.addEventListener('keydown', (event) => this.key(event));
  }

  static groups(/** @type {Page} */ page) {
    const { view, timeline } = page;
    // Letters zoom around the pointer when it is on the timeline.
    const anchor = () => timeline.pointer && timeline.pointer.x > view.left ? timeline.pointer.x : view.middle;
    /** @type {(shown: string, title: string, keys?: string[], run?: () => void) => Command} */
    const line = (shown, title, keys = [], run = () => {}) => ({ shown, title, keys, run });
    return [
      { title: 'Move', lines: [
        line('W, +, wheel', 'zoom in', ['w', '+', '='], () => view.zoom(0.7, anchor())),
        line('S, −, wheel', 'zoom out', ['s', '-'], () => view.zoom(1 / 0.7, anchor())),
        line('A, ←, drag', 'to the left', ['a', 'ArrowLeft'], () => view.pan(-view.width / 6)),
        line('D, →, drag', 'to the right', ['d', 'ArrowRight'], () => view.pan(view.width / 6)),
        line('Shift + wheel', 'to the left and right'),
        line('↑, Alt + wheel', 'rows up', ['ArrowUp'], () => timeline.scrollBy(-60)),
        line('↓, wheel over labels', 'rows down', ['ArrowDown'], () => timeline.scrollBy(60)),
        line('Page Up', 'many rows up', ['PageUp'], () => timeline.scrollBy(-timeline.bodyHeight * 0.8)),
        line('Page Down', 'many rows down', ['PageDown'], () => timeline.scrollBy(timeline.bodyHeight * 0.8)),
        line('J', 'next row', ['j'], () => page.cursor.move(1)),
        line('K', 'previous row', ['k'], () => page.cursor.move(-1)),
        line('H', 'fold or unfold the row', ['h'], () => page.cursor.toggle()),
        line('0, Home', 'the whole trace', ['0', 'Home'], () => view.whole()),
        line('F, double click', 'frame the item, the range or the finding', ['f'], () => page.frameSelection()),
      ] },
      { title: 'Findings and items', lines: [
        line('N', 'next finding', ['n'], () => page.findings.step(1)),
        line('P', 'previous finding', ['p'], () => page.findings.step(-1)),
        line('E', 'next evidence of the finding', ['e'], () => page.findings.stepEvidence(1)),
        line('Shift + E', 'previous evidence', ['Shift+E'], () => page.findings.stepEvidence(-1)),
        line('Z', 'the slowest task; press again for the next slowest', ['z'], () => page.tasks.selectSlowest()),
        line('X', 'the task of the item, with its life, parent and children', ['x'], () => page.tasks.selectChosen()),
        line('.', 'next item of the queue or step of the task, or the first of the row', ['.'], () => page.step(1)),
        line(',', 'previous item of the queue or step of the task', [','], () => page.step(-1)),
        line('O', 'next item of the same code', ['o'], () => page.items.stepInCode(1)),
        line('Shift + O', 'previous item of the same code', ['Shift+O'], () => page.items.stepInCode(-1)),
        line('C', 'causal path of the item, or of the run: how its time was spent', ['c'], () => page.togglePath()),
        line('U', 'up: to the item that enqueued it, or the task that created it', ['u'], () => page.selectParent()),
        line('I', 'into: to the first item that it enqueued, or the task that it awaited last', ['i'], () =>
          page.selectChild()),
      ] },
      { title: 'Range', lines: [
        line('drag in ruler, Shift + drag', 'mark a range: shows its length and its tables'),
        line('[', 'begin the range here', ['['], () => page.range.setBegin(page.point())),
        line(']', 'end the range here', [']'], () => page.range.setEnd(page.point('end'))),
        line('M', 'measure from here; press again to measure to here', ['m'], () => page.measure()),
        line('R', 'mark the time of the selected item', ['r'], () =>
          page.state.selection ? page.markRange(page.state.selection) : page.notify('Choose an item first.')),
      ] },
      { title: 'Search, filter, share', lines: [
        line('/', 'search', ['/'], () => page.search.focus()),
        line('Enter, Shift + Enter', 'in the search field: next match, previous match'),
        line('G', 'next match', ['g'], () => page.search.step(1)),
        line('Shift + G', 'previous match', ['Shift+G'], () => page.search.step(-1)),
        line('Q', 'only this queue', ['q'], () => page.filterBy('queue')),
        line('T', 'only this thread', ['t'], () => page.filterBy('thread')),
        line('L', 'copy a link that restores all of this', ['l'], () => page.copyLink()),
        line('V', 'save the view as PNG', ['v'], () => page.export.save('png')),
        line('Shift + V', 'save the view as SVG', ['Shift+V'], () => page.export.save('svg')),
        line('Esc', 'clear the latest of: selection, range, search, filter, finding', ['Escape'], () => page.clear()),
        line('?', 'this help', ['?'], () => page.toggleHelp()),
      ] },
    ];
  }

  key(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    const isButton = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY';
    if (isButton && BUTTON_KEYS.has(event.key)) return;
    if (target.matches('aside section') && SCROLL_KEYS.has(event.key)) return;
    const isLetter = event.key.length === 1;
    const run = (event.shiftKey && isLetter && this.commands.get('Shift+' + event.key.toUpperCase()))
      || this.commands.get(isLetter ? event.key.toLowerCase() : event.key);
    // While the help is open, only the keys that close it act. The arrow keys scroll it.
    if (!run || (this.page.help.open && event.key !== '?' && event.key !== 'Escape')) return;
    event.preventDefault();
    run();
  }

  /** Fills the table of the help. */
  fill(/** @type {HTMLElement} */ table) {
    for (const { title, lines } of this.groups) {
      table.append(element('tbody', {}, element('tr', {}, element('th', { scope: 'rowgroup', colSpan: 2 }, title)),
        lines.map((entry) => element('tr', {}, element('th', { scope: 'row' }, Keyboard.shown(entry.shown)),
          element('td', {}, entry.title)))));
    }
  }

  static shown(/** @type {string} */ text) {
    return text === ',' ? element('kbd', {}, ',')
      : text.split(', ').flatMap((part, number) => [number ? ' ' : '', element('kbd', {}, part.trim())]);
  }
}
