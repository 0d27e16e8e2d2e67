// Selects findings and their evidence.

import { Banner } from '../findings/banner.js';
import { FindingsPanel } from '../findings/findings_panel.js';
import { focusOf } from '../findings/focus.js';
import { byId } from '../panels/page_element.js';
import { printable } from '../units.js';

export class FindingChoice {
  constructor(/** @type {Page} */ page) {
    this.page = page;
    this.trace = page.trace;
    this.panel = new FindingsPanel(byId('findings'), page.trace, page, this);
  }

  choose(/** @type {Finding} */ finding, isQuiet = false) {
    const { page, trace } = this, focus = focusOf(trace, finding);
    page.state.set({ finding, evidence: -1 });
    this.panel.choose(finding);
    const banner = Banner.ofFinding(trace, finding, focus, page.brief);
    page.timeline.pin(banner, focus.tracks);
    page.timeline.scrollTo(0);
    if (!isQuiet) this.frame(finding);
    page.say(`${finding.id}, ${finding.detector}: ${banner.note}`);
  }

  clear() {
    const { state, timeline } = this.page;
    state.set({ finding: null });
    this.panel.choose(null);
    timeline.pin(Banner.ofComparison(this.trace), []);
    timeline.scrollTo(timeline.scroll);
  }

  frame(/** @type {Finding} */ finding) {
    const { view, timeline } = this.page, { from, to } = focusOf(this.trace, finding);
    view.frame(from, to, 0.05);
    timeline.scrollTo(0);
  }

  frameWhole(/** @type {Finding} */ finding) { this.page.view.frame(finding.begin, finding.end); }

  step(/** @type {number} */ direction) {
    const all = this.trace.findings, at = all.findIndex((finding) => finding === this.page.state.finding);
    if (!all.length) { this.page.notify('There are no findings.'); return; }
    this.choose(all[at < 0 && direction < 0 ? all.length - 1 : (at + direction + all.length) % all.length]);
  }

  stepEvidence(/** @type {number} */ direction) {
    const { finding, evidence } = this.page.state;
    if (!finding) { this.step(direction); return; }
    const count = finding.evidence.length;
    if (!count) { this.page.notify(`${finding.id} has no single moments as evidence.`); return; }
    this.visit(finding, ((evidence < 0 && direction < 0 ? 0 : evidence) + direction + count) % count);
  }

  /** Shows a piece of evidence, and selects the item that ran there. */
  visit(/** @type {Finding} */ finding, /** @type {number} */ number) {
    const { page } = this, entry = finding.evidence[number], row = this.trace.runningOn(entry.thread, entry.time);
    page.state.set({ evidence: number });
    this.panel.mark(number);
    if (row >= 0) page.items.select(row); else page.goTo(entry.time);
    page.say(`Evidence ${number + 1} of ${finding.evidence.length}: ${printable(entry.detail || entry.event)}`,
      row >= 0 ? page.story.sentence(row) : '');
  }
}
