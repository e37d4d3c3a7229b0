/** Of what a fragment aims at: less than this goes with the text of the next page. */
const leastShare = 1 / 16

/** What the reader of PDF files calls the place of a text. */
const pageAnchor = /^page=\d+$/

/** Whether an anchor is a page of a file, as in 'page=12'. */
export function isPage(anchor: string | null): anchor is string {
  return anchor !== null && pageAnchor.test(anchor)
}

/**
 * Whether a fragment ends before a text with the anchor `next`, on another page than its last one: a fragment has one
 * place to be opened at, which is wrong for what stands on a later page. The last line of a page is too little for a
 * fragment of its own, unless a heading follows. `cost` and `aim` are in word pieces.
 */
export function endsBeforePage(
  { page, cost, aim }: { page: string | null; cost: number; aim: number },
  next: string | null,
  startsSection: boolean,
): boolean {
  if (page === null || !isPage(next) || page === next) return false
  return startsSection || cost >= aim * leastShare
}
