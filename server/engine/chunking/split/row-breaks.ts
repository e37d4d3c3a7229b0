import { createHash } from 'node:crypto'

/** Share of its target from which a fragment may end after a row. */
const minShare = 1 / 3
/** Expected tokens between two breaks, as a multiple of the target. */
const breakDistance = 1.5
/** Upper bound of the probability that a row ends a fragment. */
const maxProbability = 1 / 4

/** Anchors of the table readers, as in 'sheet=A&row=12'. */
const rowAnchor = /(?:^|&)row=\d+$/

/**
 * Whether a fragment ends after this row of a table. Decides by a hash of the row (content-defined chunking), so that a row
 * inserted at the top changes few of the fragments below it. `cost` counts the tokens of the fragment including the row.
 */
export function endsAfterRow(
  row: { text: string; tokens: number; anchor: string | null },
  cost: number,
  target: number,
) {
  if (cost < target * minShare || row.anchor === null || !rowAnchor.test(row.anchor)) return false
  const value = createHash('sha256').update(row.text).digest().readUInt32BE(0) / 2 ** 32
  // Proportional to the length of the row, so that short rows make no more breaks than long ones.
  return value < Math.min(maxProbability, row.tokens / (target * breakDistance))
}
