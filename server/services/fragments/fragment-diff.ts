import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { Fragment } from '../../engine/ports/extractor'

/** Columns of a stored fragment that are compared with a new one; its text is in the hash. */
export const identityColumns = {
  key: fragments.key,
  hash: fragments.hash,
  ordinal: fragments.ordinal,
  anchor: fragments.anchor,
  language: fragments.language,
}
export type StoredFragment = Pick<typeof fragments.$inferSelect, keyof typeof identityColumns>

/** New values of the columns that are not part of a fragment's identity. */
export type Move = Pick<StoredFragment, 'key' | 'ordinal' | 'anchor' | 'language'>

/** Returns whether an unchanged fragment has another position, anchor or language. */
export function isMoved(row: StoredFragment, { ordinal, anchor, language }: Fragment): boolean {
  return row.ordinal !== ordinal || row.anchor !== anchor || row.language !== language
}

export function moveOf({ key }: StoredFragment, { ordinal, anchor, language }: Fragment): Move {
  return { key, ordinal, anchor, language }
}

export async function moveFragment(tx: Transaction, { key, ...position }: Move): Promise<void> {
  await tx.update(fragments).set(position).where(eq(fragments.key, key))
}
