import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { Fragment } from '../../engine/ports'

/** What is known of a stored fragment without its text. */
export const kept = {
  key: fragments.key,
  hash: fragments.hash,
  ordinal: fragments.ordinal,
  anchor: fragments.anchor,
  language: fragments.language,
}
export type KeptRow = Pick<typeof fragments.$inferSelect, keyof typeof kept>

/** Where a stored fragment stands from now on, and what is said of it that is no part of its identity. */
export type Move = Pick<KeptRow, 'key' | 'ordinal' | 'anchor' | 'language'>

/** A fragment that stays may stand at another place. */
export function isMoved(row: KeptRow, { ordinal, anchor, language }: Fragment): boolean {
  return row.ordinal !== ordinal || row.anchor !== anchor || row.language !== language
}

export function moveOf({ key }: KeptRow, { ordinal, anchor, language }: Fragment): Move {
  return { key, ordinal, anchor, language }
}

export async function moveFragment(tx: Transaction, { key, ...place }: Move): Promise<void> {
  await tx.update(fragments).set(place).where(eq(fragments.key, key))
}
