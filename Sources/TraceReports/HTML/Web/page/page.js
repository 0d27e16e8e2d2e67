// The reader's choices (finding, item, range, filter) and the actions on them. Mouse, keys, panels and the address all
// use this class.

import { Banner } from '../findings/banner.js';
import { BriefText } from '../findings/brief.js';
import { FindingsPanel } from '../findings/findings_panel.js';
import { focusOf } from '../findings/focus.js';
import { Address, addressOf, restorePage } from './address.js';
import { TimelineInput } from './input.js';
import { TaskChoice } from './task_choice.js';
import { Keyboard } from './keyboard.js';
import { DetailsPanel, Tooltip } from '../panels/details_panel.js';
import { ItemStory } from '../panels/item_story.js';
import { TaskStory } from '../panels/task_story.js';
import { byId } from '../panels/page_element.js';
import { RangePanel } from '../panels/range_panel.js';
import { SourceLinks } from '../panels/source_links.js';
import { RowFilter } from '../panels/row_filter.js';
import { Search } from '../panels/search.js';
import { itemHit } from '../picture/hits.js';
import { Overview } from '../picture/overview.js';
import { RangeSelection } from '../picture/range_selection.js';
import { TimelineView } from '../picture/timeline_view.js';
import { RowCursor, TrackList } from '../picture/track_list.js';
import { ViewExport } from '../picture/view_export.js';
import { Viewport } from '../picture/viewport.js';
import { CausalPath, SEGMENT_TITLES, timesByKind } from '../trace/causal_path.js';
import { LEFT_OUT } from '../trace/decoder.js';
import { isRunPathDrawn } from '../tracks/path.js';
import { formatDuration, formatPoint, plural, printable } from '../units.js';

export class Page {
  constructor(/** @type {Trace} */ trace, /** @type {Palette} */ palette) {
    this.trace = trace;
    this.palette = palette;
    this.stage = byId('stage');
    this.help = /** @type {HTMLDialogElement} */ (byId('help'));
    this.status = byId('status');
    this.notice = byId('notice');
    this.noticeTimer = 0;
    this.view = new Viewport(trace.begin, trace.end, () => this.redraw());
    this.list = new TrackList(trace);
    this.relations = trace.relations;
    this.brief = new BriefText(trace);
    this.links = new SourceLinks(trace.meta.links || {});
    this.timeline = new TimelineView(byId('timeline'), trace, this.list, palette, this.view);
    this.overview = new Overview(byId('overview'), trace, palette, this.view);
    this.range = this.timeline.range = new RangeSelection(this.view, (isDone) =>
      this.rangeChanged(isDone));
    this.cursor = this.timeline.cursor = new RowCursor(this);
    this.story = new ItemStory(trace, this);
    this.details = new DetailsPanel(byId('details'), trace, this.story, new TaskStory(trace, this), this);
    this.rangePanel = new RangePanel(byId('details'), trace, this);
    this.tooltip = new Tooltip(byId('tooltip'));
    this.findings = new FindingsPanel(byId('findings'), trace, palette, this);
    this.search = new Search(byId('search'), byId('search-status'), trace, this);
    this.filter = this.list.filter = new RowFilter(byId('filter'), byId('filter-names'), trace, () =>
      this.filterChanged());
    this.tasks = new TaskChoice(this);
    this.export = new ViewExport(this);
    this.input = new TimelineInput(this);
    this.keyboard = new Keyboard(this);
  }

  /** Announces a text for screen readers. Each action makes one call, because a later call replaces the text. */
  say(...sentences) {
    this.status.textContent = sentences.filter((text) => text).map((text) => /[.…!?]$/.test(text) ? text : `${text}.`)
      .join(' ');
  }

  /**
   * Shows and announces a text for 4 seconds: what a key or button did, or why it did nothing. `more` is announced
   * only.
   */
  notify(text, more = '') {
    this.say(text, more);
    this.notice.textContent = text;
    this.notice.hidden = false;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => { this.notice.hidden = true; }, 4000);
  }

  /** Saves the current state in the browser's history, so that the back button returns to it. */
  leave() {
    Address.writeNow(() => this.address());
    Address.push();
  }

  redraw() {
    this.timeline.redraw();
    this.overview.draw();
    this.remember();
  }

  remember() { Address.write(() => this.address()); }

  // Findings

  choose(finding, isQuiet = false) {
    const focus = focusOf(this.trace, finding);
    this.timeline.finding = this.overview.finding = finding;
    this.evidence = -1;
    this.findings.choose(finding);
    const banner = Banner.ofFinding(this.trace, finding, focus, this.brief);
    this.timeline.pin(banner, focus.tracks);
    this.timeline.scrollTo(0);
    if (!isQuiet) this.frame(finding);
    this.say(`${finding.id}, ${finding.detector}: ${banner.note}`);
  }

  frame(finding) {
    const { from, to } = focusOf(this.trace, finding);
    this.view.frame(from, to, 0.05);
    this.timeline.scrollTo(0);
  }

  frameWhole(finding) { this.view.frame(finding.begin, finding.end); }

  chooseNext(direction) {
    const all = this.trace.findings, at = all.indexOf(this.timeline.finding);
    if (!all.length) { this.notify('There are no findings.'); return; }
    this.choose(all[at < 0 && direction < 0 ? all.length - 1 : (at + direction + all.length) % all.length]);
  }

  // Evidence: the instants that prove the chosen finding

  stepEvidence(direction) {
    const { finding } = this.timeline;
    if (!finding) { this.chooseNext(direction); return; }
    const count = finding.evidence.length;
    if (!count) { this.notify(`${finding.id} has no single moments as evidence.`); return; }
    this.visit(finding, ((this.evidence < 0 && direction < 0 ? 0 : this.evidence) + direction + count) % count);
  }

  /** Shows a piece of evidence, and selects the item that ran there. */
  visit(finding, number) {
    const entry = finding.evidence[number], row = this.trace.runningOn(entry.thread, entry.time);
    this.evidence = number;
    this.findings.mark(number);
    if (row >= 0) this.selectRow(row); else this.goTo(entry.time);
    this.say(`Evidence ${number + 1} of ${finding.evidence.length}: ${printable(entry.detail || entry.event)}`,
      row >= 0 ? this.story.sentence(row) : '');
  }

  goTo(time) {
    const { span } = this.view;
    this.view.glide(time - span / 2, time + span / 2);
  }

  // Items

  select(hit) {
    this.timeline.selection = hit;
    this.tasks.follow(hit);
    this.showPanel();
    this.timeline.redraw();
    this.remember();
  }

  /** Shows the details of the selection; without one, the tables of the range. */
  showPanel() {
    const { selection } = this.timeline;
    if (selection) this.say(this.details.show(selection));
    else if (this.range.isSet) this.say(this.rangePanel.show(this.range));
    else this.details.hide();
  }

  get selectedRow() { return this.timeline.selectedRow; }

  selectRow(row) {
    const { begin, end, enqueued } = this.trace.items, { view } = this;
    this.tooltip.hide();
    this.select(itemHit(this.trace, row));
    const isOutside = begin[row] < view.from || begin[row] > view.to;
    if (isOutside || (end[row] - begin[row]) / view.scale < 3) {
      const span = Math.min(view.span, Math.max(end[row] - enqueued[row], (end[row] - begin[row]) * 12, 2000));
      view.glide(begin[row] - span * 0.6, begin[row] + span * 0.6);
    }
    if (!this.timeline.shows(row)) this.revealQueue(this.trace.items.queue[row]);
  }

  /** Selects an interval that is not an item, and scrolls the view to it. */
  visitInterval(hit) {
    const [from, to] = hit.extent, { view } = this;
    this.tooltip.hide();
    this.select(hit);
    if (from < view.from || from > view.to || (to - from) / view.scale < 3) {
      const span = Math.min(view.span, Math.max((to - from) * 12, 2000));
      view.glide(from - span * 0.6, from + span * 0.6);
    }
  }

  revealQueue(queue) { this.reveal('queue' + queue, queue); }
  revealThread(thread) { this.reveal('thread' + thread, -1); }

  reveal(key, queue) {
    this.timeline.show(this.list.reveal(key, queue));
    this.timeline.redraw();
  }

  /** Selects the item before or after the selected item among `rows`; without a selection, the first item in view. */
  stepAmong(rows, direction) {
    const row = this.selectedRow;
    if (row < 0) { this.selectFirstInView(); return; }
    const at = this.relations.position(rows, row) + direction;
    if (at >= 0 && at < rows.length) this.selectRow(rows[at]);
    else this.notify(direction > 0 ? 'That was the last one.' : 'That was the first one.');
  }

  step(direction) {
    if (this.tasks.isChosen) this.tasks.step(direction);
    else this.stepAmong(this.selectedRow < 0 ? null : this.trace.rowsOfQueue(this.trace.items.queue[this.selectedRow]),
      direction);
  }

  stepCode(direction) {
    this.stepAmong(this.selectedRow < 0 ? null : this.trace.itemsOfCode(this.trace.shapeOf(this.selectedRow).code), direction);
  }

  /**
   * Shows or hides the causal path of the selected item, from its submission to its end; without an item, the critical
   * path of the run.
   */
  togglePath() {
    const { timeline, selectedRow } = this;
    if (selectedRow < 0) { this.toggleRunPath(); return; }
    const isShown = timeline.path !== null && timeline.path.row === selectedRow;
    timeline.path = isShown ? null : new CausalPath(this.trace, selectedRow);
    this.details.show(timeline.selection);
    this.say(isShown ? 'The path is hidden.' : this.story.pathSentence(timeline.path));
    timeline.redraw();
    this.remember();
  }

  toggleRunPath() {
    const { timeline, trace } = this, paths = trace.sides.filter((side) => side.criticalPath);
    if (!paths.length) { this.notify('This trace has no critical path of the run.'); return; }
    timeline.showsRunPath = !timeline.showsRunPath;
    const [[kind, time]] = timesByKind(paths[0].criticalPath.totals).concat([['blocked', 0]]);
    const most = `Most of it: ${SEGMENT_TITLES[kind]}, ${formatDuration(time)}`;
    if (!timeline.showsRunPath) this.say('The critical path is hidden');
    else if (paths.some((side) => isRunPathDrawn(trace, side, this.view))) {
      this.say('The critical path of the run is drawn over its threads', most);
    } else this.notify('The critical path has too many steps in view to draw over the threads. Zoom in.', most);
    timeline.redraw();
    this.remember();
  }

  selectFirstInView() {
    const row = this.timeline.firstRowInView();
    if (row >= 0) this.selectRow(row); else this.notify('No item begins in view.');
  }

  hasItem() {
    if (this.selectedRow < 0) this.notify('Choose an item first.');
    return this.selectedRow >= 0;
  }

  selectParent() {
    if (this.tasks.isChosen) { this.tasks.selectParent(); return; }
    if (!this.hasItem()) return;
    const parent = this.trace.parent(this.selectedRow);
    if (parent >= 0) this.selectRow(parent);
    else this.notify(parent === LEFT_OUT ? 'The parent item was left out.' : 'No item enqueued this item.');
  }

  selectChild() {
    if (this.tasks.isChosen) { this.tasks.selectChild(); return; }
    if (!this.hasItem()) return;
    const [child] = this.relations.offspring(this.selectedRow);
    if (child !== undefined) this.selectRow(child); else this.notify('This item enqueued nothing.');
  }

  frameHit(hit) {
    const [from, to] = hit.extent;
    this.view.frame(from, to, 0.5);
  }

  frameSelection() {
    if (this.timeline.selection) this.frameHit(this.timeline.selection);
    else if (this.range.isSet) this.view.frame(this.range.from, this.range.to, 0);
    else if (this.timeline.finding) this.frame(this.timeline.finding);
  }

  hover(hit, x, y) {
    if (hit) this.tooltip.show(hit, x, y, this.stage.getBoundingClientRect()); else this.tooltip.hide();
  }

  // Range

  rangeChanged(isDone) {
    this.timeline.redraw();
    if (!isDone) return;
    if (this.range.isSet) this.timeline.selection = null;
    this.showPanel();
    this.remember();
  }

  markRange(hit) {
    const [from, to] = hit.extent;
    this.range.set(from, to);
  }

  /** The time at which the keys act: under the pointer, at the selected item, or in the middle of the view. */
  point(edge = 'begin') {
    const { pointer, selection } = this.timeline;
    if (pointer && pointer.x > this.view.left) return this.view.time(pointer.x);
    if (selection) return selection.extent[edge === 'begin' ? 0 : 1];
    return (this.view.from + this.view.to) / 2;
  }

  /** The first call sets the start of a measurement, the second marks the range between both. */
  measure() {
    const { timeline } = this, time = this.point();
    if (timeline.measuredFrom === null) {
      timeline.measuredFrom = time;
      this.notify(`Measuring from ${formatPoint(time)}. Press M again to end.`);
    } else {
      const from = timeline.measuredFrom;
      timeline.measuredFrom = null;
      this.range.set(from, time);
    }
    timeline.redraw();
  }

  // Search and filter

  searchFor(text) { this.search.start(text); }

  matched() {
    const { filter } = this, { isMatch } = this.search;
    this.timeline.painter.isMatch = isMatch && filter.isOn ? (row) => isMatch(row) && filter.isMatch(row)
      : isMatch || (filter.isOn ? (row) => filter.isMatch(row) : null);
    this.timeline.redraw();
    this.remember();
  }

  filterBy(kind) {
    if (this.hasItem()) this.filter.only(kind, this.trace.items[kind][this.selectedRow]);
  }

  filterChanged() {
    const { filter } = this;
    this.list.rebuild();
    this.timeline.scrollTo(filter.isOn ? 0 : this.timeline.scroll);
    this.matched();
    if (filter.isOn) {
      this.notify(filter.count
        ? `Only ${plural(filter.queues.size, 'queue')} and ${plural(filter.threads.size, 'thread')}`
        : 'No queue or thread has this text in its name');
    }
  }

  // Page

  /** Clears one thing at a time, the latest first. */
  clear() {
    const { timeline } = this;
    if (this.help.open) this.help.close();
    else if (timeline.measuredFrom !== null) { timeline.measuredFrom = null; timeline.redraw(); }
    else if (timeline.selection) this.select(null);
    else if (this.range.isSet) this.range.clear();
    else if (this.search.found) this.search.clear();
    else if (this.filter.isOn) this.filter.clear();
    else this.clearFinding();
  }

  clearFinding() {
    this.timeline.finding = this.overview.finding = null;
    this.findings.choose(null);
    this.timeline.pin(Banner.ofComparison(this.trace), []);
    this.timeline.scrollTo(this.timeline.scroll);
    this.redraw();
  }

  toggleHelp() { if (this.help.open) this.help.close(); else this.help.showModal(); }

  async copyLink() {
    Address.writeNow(() => this.address());
    try {
      await navigator.clipboard.writeText(location.href);
      this.notify('The link is copied.');
    } catch {
      this.notify('The link is in the address bar.');
    }
  }

  address() { return addressOf(this); }
  restore(hash) { restorePage(this, hash); }
}
