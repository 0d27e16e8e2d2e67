// How long things last that can be chosen: what is framed, and what a range snaps to.

/** @returns [from, to] of a hit */
export function extentOf(trace, hit) {
  const { items } = trace;
  if (hit.kind === 'item') return [items.enqueued[hit.row], items.end[hit.row]];
  if (hit.kind === 'holding') return [hit.holding.requested, hit.holding.end];
  if (hit.kind === 'pending') return [hit.item.enqueued, hit.item.until];
  if (hit.kind === 'slice') return [hit.from, hit.to];
  if (hit.kind === 'workers') return [hit.time - 50000, hit.time + 50000];
  if (hit.kind === 'leftOut') return [hit.from, hit.to];
  if (hit.kind === 'step') return [hit.segment.from, hit.segment.to];
  if (hit.kind === 'wait') return [hit.wait.begin, hit.wait.end];
  if (hit.kind === 'signpost') return [hit.signpost.begin, Math.max(hit.signpost.end, hit.signpost.begin + 1000)];
  const from = hit.mark.activated >= 0 ? hit.mark.activated : hit.mark.time - 20000;
  return [from, hit.mark.time + 1000];
}
