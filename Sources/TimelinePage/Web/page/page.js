// The reader's choices (finding, item, range, filter) and the actions on them. Mouse, keys, panels and the address all
// use this class.

import { BriefText } from '../findings/brief.js';
import { Address, addressOf, restorePage } from './address.js';
import { FindingChoice } from './finding_choice.js';
import { TimelineInput } from './input.js';
import { ItemChoice } from './item_choice.js';
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
import { Overview } from '../picture/overview.js';
import { isRunPathDrawn } from '../picture/path_band.js';
import { RangeSelection } from '../picture/range_selection.js';
import { TimelineView } from '../picture/timeline_view.js';
import { RowCursor, TrackList } from '../picture/track_list.js';
import { ViewExport } from '../picture/view_export.js';
import { ViewState } from '../picture/view_state.js';
import { Viewport } from '../picture/viewport.js';
import { SEGMENT_TITLES, timesByKind } from '../trace/causal_path.js';
import { formatDuration, formatPoint, plural } from '../units.js';

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
    this.state = new ViewState(() => this.redraw());
    this.list = new TrackList(trace);
    this.brief = new BriefText(trace);
    this.links = new SourceLinks(trace.meta.links || {});
    this.range = new RangeSelection(this.view, (isDone) => this.rangeChanged(isDone));
    this.cursor = new RowCursor(this);
    this.timeline = new TimelineView(byId('timeline'), this);
    this.overview = new Overview(byId('overview'), trace, palette, this.view, this.state);
    this.story = new ItemStory(trace, this);
    this.details = new DetailsPanel(byId('details'), this.story, new TaskStory(trace, this), this);
    this.rangePanel = new RangePanel(byId('details'), trace, this);
    this.tooltip = new Tooltip(byId('tooltip'));
    this.findings = new FindingChoice(this);
    this.search = new Search(byId('search'), byId('search-status'), trace, this);
    this.filter = this.list.filter = new RowFilter(byId('filter'), byId('filter-names'), trace, () =>
      this.filterChanged());
    this.items = new ItemChoice(this);
    this.tasks = new TaskChoice(this);
    this.export = new ViewExport(this);
    this.input = new TimelineInput(this);
    this.keyboard = new Keyboard(this);
  }

  /** Announces a text for screen readers. Each action makes one call, because a later call replaces the text. */
  say(/** @type {string[]} */ ...sentences) {
    this.status.textContent = sentences.filter((text) => text).map((text) => /[.…!?]$/.test(text) ? text : `${text}.`)
      .join(' ');
  }

  /**
   * Shows and announces a text for 4 seconds: what a key or button did, or why it did nothing. `more` is announced
   * only.
   */
  notify(/** @type {string} */ text, more = '') {
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

  goTo(/** @type {number} */ time) {
    const { span } = this.view;
    this.view.glide(time - span / 2, time + span / 2);
  }

  // Items

  select(/** @type {Hit | null} */ hit) {
    this.state.set({ selection: hit });
    this.tasks.follow(hit);
    this.showPanel();
  }

  /** Shows the details of the selection; without one, the tables of the range. */
  showPanel() {
    const { selection } = this.state;
    if (selection) this.say(this.details.show(selection));
    else if (this.range.isSet) this.say(this.rangePanel.show(this.range));
    else this.details.hide();
  }

  /** Selects an interval that is not an item, and scrolls the view to it. */
  visitInterval(/** @type {Hit} */ hit) {
    const [from, to] = hit.extent;
    this.tooltip.hide();
    this.select(hit);
    this.view.visit(from, to);
  }

  revealQueue(/** @type {number} */ queue) { this.reveal('queue' + queue, queue); }
  revealThread(/** @type {number} */ thread) { this.reveal('thread' + thread, -1); }

  reveal(/** @type {string} */ key, /** @type {number} */ queue) {
    this.timeline.show(this.list.reveal(key, queue));
    this.timeline.redraw();
  }

  /** Selects the item or step of a task before or after the selected one. */
  step(/** @type {number} */ direction) {
    if (this.tasks.isChosen) this.tasks.step(direction); else this.items.stepInQueue(direction);
  }

  selectParent() { if (this.tasks.isChosen) this.tasks.selectParent(); else this.items.selectParent(); }
  selectChild() { if (this.tasks.isChosen) this.tasks.selectChild(); else this.items.selectChild(); }

  /** Shows or hides the causal path of the selected item; without an item, the critical path of the run. */
  togglePath() { if (this.items.row < 0) this.toggleRunPath(); else this.items.togglePath(); }

  toggleRunPath() {
    const { state, trace } = this, paths = trace.sides.filter((side) => side.criticalPath);
    if (!paths.length) { this.notify('This trace has no critical path of the run.'); return; }
    state.set({ showsRunPath: !state.showsRunPath });
    const { totals } = paths[0].criticalPath || { totals: [] };
    const [[kind, time]] = timesByKind(totals).concat([['blocked', 0]]);
    const most = `Most of it: ${SEGMENT_TITLES[kind]}, ${formatDuration(time)}`;
    if (!state.showsRunPath) this.say('The critical path is hidden');
    else if (paths.some((side) => isRunPathDrawn(trace, side, this.view))) {
      this.say('The critical path of the run is drawn over its threads', most);
    } else this.notify('The critical path has too many steps in view to draw over the threads. Zoom in.', most);
  }

  frameHit(/** @type {Hit} */ hit) {
    const [from, to] = hit.extent;
    this.view.frame(from, to, 0.5);
  }

  frameSelection() {
    const { selection, finding } = this.state;
    if (selection) this.frameHit(selection);
    else if (this.range.isSet) this.view.frame(this.range.from, this.range.to, 0);
    else if (finding) this.findings.frame(finding);
  }

  hover(/** @type {Pick<Hit, 'describe'> | null} */ hit, x = 0, y = 0) {
    if (hit) this.tooltip.show(hit, x, y, this.stage.getBoundingClientRect()); else this.tooltip.hide();
  }

  // Range

  rangeChanged(/** @type {boolean} */ isDone) {
    this.timeline.redraw();
    if (!isDone) return;
    if (this.range.isSet) this.state.set({ selection: null });
    this.showPanel();
    this.remember();
  }

  markRange(/** @type {Hit} */ hit) {
    const [from, to] = hit.extent;
    this.range.set(from, to);
  }

  /** The time at which the keys act: under the pointer, at the selected item, or in the middle of the view. */
  point(edge = 'begin') {
    const { pointer } = this.timeline, { selection } = this.state;
    if (pointer && pointer.x > this.view.left) return this.view.time(pointer.x);
    if (selection) return selection.extent[edge === 'begin' ? 0 : 1];
    return (this.view.from + this.view.to) / 2;
  }

  /** The first call sets the start of a measurement, the second marks the range between both. */
  measure() {
    const { measuredFrom } = this.state, time = this.point();
    this.state.set({ measuredFrom: measuredFrom === null ? time : null });
    if (measuredFrom === null) this.notify(`Measuring from ${formatPoint(time)}. Press M again to end.`);
    else this.range.set(measuredFrom, time);
  }

  // Search and filter

  searchFor(/** @type {string} */ text) { this.search.start(text); }

  matched() {
    const { filter } = this, { isMatch } = this.search;
    this.timeline.painter.isMatch = isMatch && filter.isOn ? (row) => isMatch(row) && filter.isMatch(row)
      : isMatch || (filter.isOn ? (row) => filter.isMatch(row) : null);
    this.timeline.redraw();
    this.remember();
  }

  filterBy(/** @type {'queue' | 'thread'} */ kind) {
    if (this.items.isChosen()) this.filter.only(kind, this.trace.items[kind][this.items.row]);
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
    const { state } = this;
    if (this.help.open) this.help.close();
    else if (state.measuredFrom !== null) state.set({ measuredFrom: null });
    else if (state.selection) this.select(null);
    else if (this.range.isSet) this.range.clear();
    else if (this.search.found) this.search.clear();
    else if (this.filter.isOn) this.filter.clear();
    else this.findings.clear();
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
  restore(/** @type {string} */ hash) { restorePage(this, hash); }
}
