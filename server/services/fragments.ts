import { eq, inArray } from 'drizzle-orm'
import type { FragmentView } from '../../contract/thread'
import type { Transaction } from '../../db/database'
import { fragments } from '../../db/schema/addresses'
import { headingSeparator } from '../engine/passage'
import type { Fragment, TextIndex, VectorIndex } from '../engine/ports'

type FragmentRow = typeof fragments.$inferSelect

/** Where fragments are found again; both indexes are written in the fragments' own transaction. */
export interface Indexes {
  text: TextIndex<Transaction>
  vectors: VectorIndex<Transaction>
}

export interface AddressKeys {
  id: string
  organizationId: string
  collectionId: string
  sourceId: string
}

// Few enough that no statement, and no stemming before it, holds the event loop for long.
const rowsAtOnce = 10

/**
 * Makes the address have exactly these fragments. Those whose hash is there already keep their id, key and vector;
 * the others are added and removed with their words and vectors. Returns how many are new.
 */
export async function replaceFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  wanted: Fragment[],
): Promise<number> {
  const stored = await tx.select().from(fragments).where(eq(fragments.addressId, address.id))
  const byHash = new Map<string, FragmentRow[]>()
  for (const row of stored) byHash.set(row.hash, [...(byHash.get(row.hash) ?? []), row])
  const added: Fragment[] = []
  for (const fragment of wanted) {
    const same = byHash.get(fragment.hash)?.shift()
    if (!same) added.push(fragment)
    else if (same.ordinal !== fragment.ordinal || same.anchor !== fragment.anchor) {
      await tx
        .update(fragments)
        .set({ ordinal: fragment.ordinal, anchor: fragment.anchor })
        .where(eq(fragments.key, same.key))
    }
  }
  const gone = [...byHash.values()].flat().map((row) => row.key)
  await removeFragments(tx, indexes, address.collectionId, gone)
  for (let start = 0; start < added.length; start += rowsAtOnce) {
    await addFragments(tx, indexes, address, added.slice(start, start + rowsAtOnce))
  }
  return added.length
}

/** Removes rows, words and vectors together. */
export async function removeFragments(
  tx: Transaction,
  indexes: Indexes,
  collectionId: string,
  keys: number[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += rowsAtOnce) {
    const some = keys.slice(start, start + rowsAtOnce)
    await indexes.text.remove(tx, some)
    await indexes.vectors.remove(tx, collectionId, some)
    await tx.delete(fragments).where(inArray(fragments.key, some))
  }
}

async function addFragments(tx: Transaction, indexes: Indexes, address: AddressKeys, added: Fragment[]): Promise<void> {
  const { id: addressId, organizationId, collectionId, sourceId } = address
  const rows = await tx
    .insert(fragments)
    .values(added.map((fragment) => ({ organizationId, collectionId, sourceId, addressId, ...columnsOf(fragment) })))
    .returning()
  await indexes.text.add(
    tx,
    rows.map(({ key, title, headings, innerHeadings, text }) => ({
      key,
      collectionId,
      title,
      headings: [headings, innerHeadings].filter(Boolean).join(headingSeparator),
      text,
    })),
  )
}

function columnsOf(fragment: Fragment) {
  const { ordinal, title, headings, innerHeadings, text, anchor, hash, tokens, language } = fragment
  const joined = { headings: headings.join(headingSeparator), innerHeadings: innerHeadings.join(headingSeparator) }
  return { ordinal, title, ...joined, text, anchor, hash, tokens, language }
}

export function fragmentView(
  row: Pick<FragmentRow, 'id' | 'title' | 'headings' | 'text' | 'anchor'>,
  url: string,
  score: number,
): FragmentView {
  return {
    id: row.id,
    score,
    url,
    link: row.anchor ? `${url}#${encodeURIComponent(row.anchor)}` : url,
    title: row.title,
    headings: row.headings === '' ? [] : row.headings.split(headingSeparator),
    content: row.text,
  }
}
