// Puts the page together.

function start() {
  const byId = (id) => document.getElementById(id);
  const data = byId('trace-data');
  const trace = new Trace(decodeTimeline(bytesOfBase64(data.textContent.trim())));
  data.remove();
  const palette = new Palette(), stage = byId('stage');
  let timeline, overview;
  const view = new Viewport(trace.duration, () => {
    timeline.redraw();
    overview.draw();
    Address.write(view, timeline.finding);
  });
  const list = new TrackList(trace);
  timeline = new TimelineView(byId('timeline'), trace, list, palette, view);
  overview = new Overview(byId('overview'), trace, palette, view);

  const actions = {
    choose(finding, isQuiet = false) {
      if (timeline.finding === finding && !isQuiet) { actions.frame(finding); return; }
      const focus = focusOf(trace, finding);
      timeline.finding = overview.finding = finding;
      findings.choose(finding);
      list.pin(`${finding.id} · ${finding.detector}`, printable(finding.summary), focus.tracks);
      timeline.scrollTo(0);
      if (!isQuiet) actions.frame(finding);
      byId('status').textContent = `${finding.id}, ${finding.detector}: ${printable(finding.summary)}`;
    },
    frame(finding) { const { from, to } = focusOf(trace, finding); view.frame(from, to, 0.05); timeline.scrollTo(0); },
    frameWhole(finding) { view.frame(finding.begin, finding.end); },
    goTo(time) {
      const span = Math.min(view.span, Math.max(50000, view.span));
      view.glide(time - span / 2, time + span / 2);
    },
    chooseNext(direction) {
      const all = trace.findings, at = all.indexOf(timeline.finding);
      if (all.length) actions.choose(all[(at + direction + all.length) % all.length]);
    },
    select(hit) {
      timeline.selection = hit;
      if (hit) details.show(hit); else details.hide();
      timeline.redraw();
    },
    selectRow(row) {
      const { begin, end, enqueued } = trace.items;
      tooltip.hide();
      actions.select({ kind: 'item', row });
      if (begin[row] < view.from || end[row] > view.to || (end[row] - begin[row]) / view.scale < 3) {
        const span = Math.min(view.span, Math.max(end[row] - enqueued[row], (end[row] - begin[row]) * 12, 2000));
        view.glide(begin[row] - span * 0.6, begin[row] + span * 0.6);
      }
      actions.reveal(row);
    },
    reveal(row) {
      const queue = trace.items.queue[row];
      timeline.show(list.reveal('queue' + queue, queue));
      timeline.redraw();
    },
    step(row, direction) {
      const rows = trace.running(trace.items.queue[row]), at = row - rows.row(0) + direction;
      if (at >= 0 && at < rows.length) actions.selectRow(rows.row(at));
    },
    frameHit(hit) { const [from, to] = extentOf(trace, hit); view.frame(from, to, 0.5); },
    frameSelection() {
      if (timeline.selection) actions.frameHit(timeline.selection);
      else if (timeline.finding) actions.frame(timeline.finding);
    },
    hover(hit, x, y) {
      if (hit) tooltip.show(hit, x, y, stage.getBoundingClientRect()); else tooltip.hide();
    },
    clear() {
      if (byId('help').open) { byId('help').close(); return; }
      if (timeline.selection) { actions.select(null); return; }
      if (search.rows) { search.clear(); return; }
      timeline.finding = overview.finding = null;
      findings.choose(null);
      list.pin('', '', null);
      timeline.scrollTo(timeline.scroll);
      overview.draw();
    },
    matched(isMatch) { timeline.painter.isMatch = isMatch; timeline.redraw(); },
    middle: () => (view.from + view.to) / 2,
    search() { byId('search').focus(); byId('search').select(); },
    help() { if (byId('help').open) byId('help').close(); else byId('help').showModal(); },
  };
  const details = new DetailsPanel(byId('details'), trace, actions);
  const tooltip = new Tooltip(byId('tooltip'), details);
  const findings = new FindingsPanel(byId('findings'), trace, palette, actions);
  const search = new Search(byId('search'), byId('search-status'), trace, { ...actions, select: actions.selectRow });
  new TimelineInput(timeline, actions);
  byId('whole').addEventListener('click', () => view.whole());
  byId('zoom-in').addEventListener('click', () => view.zoom(0.6, view.left + view.width / 2));
  byId('zoom-out').addEventListener('click', () => view.zoom(1 / 0.6, view.left + view.width / 2));
  byId('help-button').addEventListener('click', actions.help);
  byId('facts').textContent = [formatDuration(trace.duration), plural(trace.items.count, 'item'),
    plural(list.trace.groupOf.size, 'queue'), plural(trace.threads.length, 'thread')].join(' · ');

  const layout = () => {
    const { width, height } = stage.getBoundingClientRect();
    timeline.resize(Math.floor(width), Math.floor(height));
    overview.resize(Math.floor(width), LABEL_WIDTH);
  };
  new ResizeObserver(layout).observe(stage);
  palette.onChange(() => { timeline.redraw(); overview.draw(); });
  layout();
  const address = Address.read(trace), first = address ? address.finding : trace.findings[0];
  if (first) {
    actions.choose(first, true);
    const { from, to } = focusOf(trace, first);
    view.set(from - (to - from) * 0.05, to + (to - from) * 0.05);
  }
  if (address) view.set(address.from, address.to);
  // For tests and for the curious: what is in view, without a way to change the trace.
  window.queuescope = { view: () => ({ from: view.from, to: view.to, left: view.left, width: view.width }), trace,
    rows: () => list.rows.map(({ row, y, height }) => ({ key: row.key, title: row.title, y, height })),
    finding: () => timeline.finding && timeline.finding.id, draw: () => timeline.draw(),
    scroll: () => timeline.scroll };
  document.body.classList.add('ready');
}

function extentOf(trace, hit) {
  const { items } = trace;
  if (hit.kind === 'item') return [items.enqueued[hit.row], items.end[hit.row]];
  if (hit.kind === 'holding') return [hit.holding.requested, hit.holding.end];
  if (hit.kind === 'wait') return [hit.wait.begin, hit.wait.end];
  if (hit.kind === 'signpost') return [hit.signpost.begin, Math.max(hit.signpost.end, hit.signpost.begin + 1000)];
  const from = hit.mark.activated >= 0 ? hit.mark.activated : hit.mark.time - 20000;
  return [from, hit.mark.time + 1000];
}

try {
  start();
} catch (error) {
  const message = document.getElementById('failure');
  message.textContent = 'This timeline cannot be shown: ' + error.message;
  message.hidden = false;
  throw error;
}
