import { createHash } from 'node:crypto'

/** Of what a fragment aims at: it may end behind a row from this share on, and does so about once in that many of it. */
const leastShare = 1 / 3
const betweenShare = 1.5
/** Of long rows one in so many is a border. */
const fewest = 4

/** What the readers of tables call the place of a row. */
const rowAnchor = /(?:^|&)row=\d+$/

/**
 * Whether a fragment ends behind this row of a table, by what the row says. Rows of one length would otherwise be cut by
 * their count alone, and one more near the top would make all fragments below it other ones; like this the same rows
 * soon make the same fragments again. `filled`: pieces of the fragment with the row, of `aim`.
 */
export function endsBehindRow(
  row: { text: string; tokens: number; anchor: string | null },
  filled: number,
  aim: number,
) {
  if (filled < aim * leastShare || row.anchor === null || !rowAnchor.test(row.anchor)) return false
  const share = createHash('sha256').update(row.text).digest().readUInt32BE(0) / 2 ** 32
  // A row counts by its length, so that short rows make no more borders than long ones.
  return share < Math.min(1 / fewest, row.tokens / (aim * betweenShare))
}
