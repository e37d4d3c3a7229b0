/** Share of its target from which a fragment ends at the end of a page. */
const minShare = 1 / 16

/** Anchors of the PDF reader. */
const pageAnchor = /^page=\d+$/

/** Whether an anchor is a page of a file, as in 'page=12'. */
export function isPage(anchor: string | null): anchor is string {
  return anchor !== null && pageAnchor.test(anchor)
}

/**
 * Whether a fragment ends before a text with the anchor `next`. Fragments end with their page, because each links to one
 * page. Less than a sixteenth of the target joins the next page, unless a heading follows. `cost` and `target` are in
 * tokens.
 */
export function endsBeforePage(
  { page, cost, target }: { page: string | null; cost: number; target: number },
  next: string | null,
  startsSection: boolean,
): boolean {
  if (page === null || !isPage(next) || page === next) return false
  return startsSection || cost >= target * minShare
}
