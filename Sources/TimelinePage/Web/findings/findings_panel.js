// The list of findings, the most important first. A chosen finding shows its clearest moment, pins its rows and shows
// its evidence.

import { OpenWaits } from '../panels/open_waits.js';
import { element, rowsOf } from '../panels/page_element.js';
import { formatCount, formatDuration, formatPercent, formatPoint, plural, printable } from '../units.js';

const EVIDENCE_SHOWN = 4;
/** Titles of the changes between two traces. */
const CHANGE_TITLES = { new: 'new', worse: 'worse', same: 'still there', gone: 'gone' };

export class FindingsPanel {
  constructor(/** @type {HTMLElement} */ container, /** @type {Trace} */ trace, /** @type {Page} */ page,
    /** @type {FindingChoice} */ choice) {
    this.container = container;
    this.trace = trace;
    this.page = page;
    this.choice = choice;
    /** @type {{ finding: Finding, button: HTMLButtonElement, body: HTMLElement }[]} */
    this.cards = [];
    this.build();
  }

  build() {
    const { findings, sides } = this.trace, count = findings.length;
    const order = sides.length > 1 ? 'new ones first, gone ones last' : 'the most important first';
    this.container.append(element('h2', { id: 'findings-title' }, count ? `${plural(count, 'finding')}` : 'No findings',
      count ? element('span', { className: 'hint' }, ' ' + order) : ''));
    if (!count) {
      this.container.append(element('p', { className: 'calm' }, 'No detector found anything to report in this trace.'));
    }
    const list = element('ol', { className: 'findings', 'aria-labelledby': 'findings-title' });
    findings.forEach((finding) => list.append(this.card(finding)));
    this.container.append(list, ...new OpenWaits(this.trace, this.page).parts(),
      ...this.trace.sides.map((side) => this.about(side)));
  }

  card(/** @type {Finding} */ finding) {
    const count = finding.occurrences > 1 ? `${formatCount(finding.occurrences)}×` : '';
    const cost = finding.cost > 0 ? formatDuration(finding.cost) : count;
    const body = element('div', { className: 'proof', hidden: true });
    const button = element('button', {
      type: 'button', className: 'finding', 'aria-expanded': 'false', onclick: () => this.choice.choose(finding),
    },
    element('span', { className: 'line' },
      element('span', { className: `badge ${finding.severity}`, title: `${finding.id}, ${finding.severity}` },
        finding.id),
      element('span', { className: 'detector' }, finding.detector),
      finding.change ? element('span', { className: `change ${finding.change}` }, CHANGE_TITLES[finding.change]) : '',
      element('span', { className: 'cost', title: 'time lost to this finding' }, cost)),
    element('span', { className: 'summary' }, this.page.brief.nodes(finding.summary)));
    this.cards.push({ finding, button, body });
    return element('li', {}, button, body);
  }

  choose(/** @type {Finding | null} */ finding) {
    for (const card of this.cards) {
      const isChosen = card.finding === finding;
      card.button.setAttribute('aria-expanded', String(isChosen));
      card.button.classList.toggle('chosen', isChosen);
      card.body.hidden = !isChosen;
      if (isChosen && !card.body.hasChildNodes()) this.fill(card.body, finding);
      if (isChosen) card.button.scrollIntoView({ block: 'nearest' });
    }
  }

  /** Marks the piece of evidence that is visited. */
  mark(/** @type {number} */ number) {
    const card = this.cards.find((entry) => entry.finding === this.page.state.finding);
    if (!card) return;
    card.body.querySelectorAll('.evidence button').forEach((button, position) => {
      if (position === number) button.setAttribute('aria-current', 'true'); else button.removeAttribute('aria-current');
      const hidden = button.closest('details');
      if (position !== number) return;
      if (hidden) hidden.open = true;
      button.scrollIntoView({ block: 'nearest' });
    });
  }

  fill(/** @type {HTMLElement} */ body, /** @type {Finding} */ finding) {
    const { choice, page, trace } = this;
    body.append(
      element('div', { className: 'buttons' },
        element('button', { type: 'button', onclick: () => choice.frame(finding) }, 'Clearest moment'),
        element('button', { type: 'button', onclick: () => choice.frameWhole(finding) }, 'Whole finding')),
      element('p', { className: 'advice' },
        element('strong', {}, 'What to do. '), page.brief.nodes(finding.advice, page.links)));
    if (finding.caveat) body.append(element('p', { className: 'caveat' }, printable(finding.caveat)));
    if (finding.measures.length) body.append(rowsOf(
      finding.measures.map(([name, value]) => [name, page.brief.text(value)])));
    if (finding.code.length) {
      body.append(element('h3', {}, 'Code'), element('ul', { className: 'code' },
        finding.code.map((code) => element('li', {},
          page.links.nodes(printable(trace.meta.codes[code] || 'unknown code'))))));
    }
    if (finding.evidence.length) {
      /** @type {(entries: Proof[], start: number) => HTMLElement} */
      const list = (entries, start) => element('ol', { className: 'evidence', start }, entries.map((entry, number) =>
        element('li', {}, element('button', {
          type: 'button', onclick: () => choice.visit(finding, start + number - 1),
        }, element('span', { className: 'when' }, formatPoint(entry.time)),
          element('span', {}, page.brief.nodes(entry.detail || entry.event))))));
      const shown = finding.evidence.slice(0, EVIDENCE_SHOWN), more = finding.evidence.slice(EVIDENCE_SHOWN);
      body.append(element('h3', {}, 'Evidence'), list(shown, 1));
      if (more.length) {
        body.append(element('details', {},
          element('summary', {}, `${more.length} more`), list(more, shown.length + 1)));
      }
    }
    for (const { title, frames } of finding.stacks) {
      if (!frames.length) continue;
      body.append(element('details', {}, element('summary', {}, printable(title)),
        element('ol', { className: 'stack' },
          frames.map((frame) => element('li', {}, page.links.nodes(printable(frame)))))));
    }
  }

  about(/** @type {Side} */ { facts, name }) {
    const processors = facts.processors ? `, ${facts.processorText}` : '';
    const lines = [
      ['program', facts.program ? `${facts.program} (pid ${facts.pid})` : 'unknown'],
      ['host', facts.host ? facts.host + processors : 'unknown'],
      ['recorded', new Date(Number(facts.unixNanoseconds) / 1e6).toISOString().replace('T', ' ').slice(0, 19) + ' UTC'],
      ['event records', formatCount(facts.events)],
      ['discarded', formatCount(facts.discarded)],
      ['quality', formatPercent(facts.quality)],
    ];
    const notes = facts.failedChecks.concat(facts.limitedChecks, facts.notes).map(printable);
    /** @type {[number, string][]} */
    const counts = [[facts.omittedItems, 'item'], [facts.omittedMarks, 'mark'], [facts.omittedTasks, 'task'],
      [facts.omittedTaskSteps, 'task step']];
    const leftOut = counts.flatMap(([count, noun]) => count > 0 ? plural(count, noun) : []);
    if (leftOut.length) {
      const listed = new Intl.ListFormat('en-GB').format(leftOut);
      notes.unshift(`Left out to keep this file within its size limit: ${listed}. `
        + 'The statistics and findings include them. To see them, write the page again with a larger --budget.');
    }
    return element('details', { className: 'about', open: notes.length > 0 || !this.trace.findings.length },
      element('summary', {}, name ? `About the trace ${name.toLowerCase()}` : 'About this trace'), rowsOf(lines),
      notes.map((note) => element('p', { className: 'caveat' }, note)));
  }
}
