import { and, asc, eq, inArray } from 'drizzle-orm'
import type { AddressFragment } from '../../../contract/views/address'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { Transaction } from '../../../db/database'
import { addressBlocks, fragments } from '../../../db/schema/addresses'
import { boilerplateHeading, headingSeparator, isBoilerplateHeading } from '../../engine/chunking/embedding-text'
import type { Fragment } from '../../engine/ports/extractor'
import { type IndexedText, type TextIndex, type VectorIndex, vectorSetId } from '../../engine/ports/search-index'
import { identityColumns, isMoved, type Move, moveFragment, moveOf, type StoredFragment } from './fragment-diff'

type FragmentRow = typeof fragments.$inferSelect

/** The search indexes, which are written in the transaction of the fragments. */
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

// Small, so that neither a statement nor the stemming before it blocks the event loop for long.
const rowBatchSize = 10

/**
 * Replaces the fragments of an address. Fragments with an unchanged hash keep their id, key and embedding; the others are
 * added and removed with their index entries. Returns the number of new ones. For an address that may have very many
 * fragments, call `clearFragments` first.
 */
export async function replaceFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  next: Fragment[],
): Promise<number> {
  const stored = await tx.select(identityColumns).from(fragments).where(eq(fragments.addressId, address.id))
  const byHash = groupByHash(stored)
  const added: Fragment[] = []
  for (const fragment of next) {
    const same = byHash.get(fragment.hash)?.shift()
    if (!same) added.push(fragment)
    else if (isMoved(same, fragment)) await moveFragment(tx, moveOf(same, fragment))
  }
  const obsolete = [...byHash.values()].flat().map((row) => row.key)
  await removeFragments(tx, indexes, address.collectionId, obsolete)
  // Without fragments, the stored blocks of the page are obsolete.
  if (next.length === 0) await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, address.id))
  await addFragments(tx, indexes, address, added)
  return added.length
}

/**
 * Adds a batch of fragments to an address that is stored in batches. Fragments with an unchanged hash stay; `moves` has
 * those whose position changes. `isTaken` excludes stored fragments that already match an earlier fragment with the same
 * text. Returns the keys in order, and the number of new fragments.
 */
export async function mergeFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  batch: Fragment[],
  isTaken: (row: { key: number; ordinal: number }) => boolean,
): Promise<{ keys: number[]; added: number; moves: Move[] }> {
  const hashes = batch.map(({ hash }) => hash)
  const ofHashes = and(eq(fragments.addressId, address.id), inArray(fragments.hash, hashes))
  const stored = await tx.select(identityColumns).from(fragments).where(ofHashes).orderBy(asc(fragments.key))
  const byHash = groupByHash(stored.filter((row) => !isTaken(row)))
  const keys = new Map<Fragment, number>()
  const moves: Move[] = []
  for (const fragment of batch) {
    const same = byHash.get(fragment.hash)?.shift()
    if (!same) continue
    keys.set(fragment, same.key)
    if (isMoved(same, fragment)) moves.push(moveOf(same, fragment))
  }
  const added = batch.filter((fragment) => !keys.has(fragment))
  for (const [fragment, key] of await addFragments(tx, indexes, address, added)) keys.set(fragment, key)
  return { keys: batch.map((fragment) => keys.get(fragment) ?? missingKey()), added: added.length, moves }
}

function groupByHash(rows: StoredFragment[]): Map<string, StoredFragment[]> {
  const byHash = new Map<string, StoredFragment[]>()
  for (const row of rows) {
    const same = byHash.get(row.hash)
    if (same) same.push(row)
    else byHash.set(row.hash, [row])
  }
  return byHash
}

/** Deletes fragments with their index entries. */
export async function removeFragments(
  tx: Transaction,
  indexes: Indexes,
  collectionId: string,
  keys: number[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += rowBatchSize) {
    const batch = keys.slice(start, start + rowBatchSize)
    await indexes.text.remove(tx, collectionId, batch)
    for (const slot of [0, 1] as const) await indexes.vectors.remove(tx, vectorSetId(collectionId, slot), batch)
    await tx.delete(fragments).where(inArray(fragments.key, batch))
  }
}

async function addFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  added: Fragment[],
): Promise<Map<Fragment, number>> {
  const keys = new Map<Fragment, number>()
  for (let start = 0; start < added.length; start += rowBatchSize) {
    for (const [fragment, key] of await addBatch(tx, indexes, address, added.slice(start, start + rowBatchSize))) {
      keys.set(fragment, key)
    }
  }
  return keys
}

async function addBatch(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  added: Fragment[],
): Promise<[Fragment, number][]> {
  const { id: addressId, organizationId, collectionId, sourceId } = address
  const rows = await tx
    .insert(fragments)
    .values(added.map((fragment) => ({ organizationId, collectionId, sourceId, addressId, ...columnsOf(fragment) })))
    // Does not return the texts, which are known.
    .returning({ key: fragments.key, ordinal: fragments.ordinal })
  const byOrdinal = new Map(rows.map(({ key, ordinal }) => [ordinal, key]))
  const keyed = added.map((fragment): [Fragment, number] => [fragment, byOrdinal.get(fragment.ordinal) ?? missingKey()])
  await indexes.text.add(
    tx,
    keyed.map(([fragment, key]) => indexedText({ ...columnsOf(fragment), key, collectionId })),
  )
  return keyed
}

/** Returns the text index entry of a fragment. */
export function indexedText({
  key,
  collectionId,
  title,
  headings,
  innerHeadings,
  text,
}: Pick<FragmentRow, 'key' | 'collectionId' | 'title' | 'headings' | 'innerHeadings' | 'text'>): IndexedText {
  const own = isBoilerplateHeading(headings)
    ? headings.slice(boilerplateHeading.length + headingSeparator.length)
    : headings
  const all = [own, innerHeadings].filter((item) => item !== '').join(headingSeparator)
  return { key, collectionId, title, headings: all, text }
}

/** Ordinals are unique within a page. */
function missingKey(): never {
  throw new Error('Two fragments of one page have the same ordinal.')
}

function columnsOf(fragment: Fragment) {
  const { ordinal, title, headings, innerHeadings, text, anchor, hash, tokens, language } = fragment
  const joined = { headings: headings.join(headingSeparator), innerHeadings: innerHeadings.join(headingSeparator) }
  return { ordinal, title, ...joined, text, anchor, hash, tokens, language }
}

/** Locations that document readers write; in a link, they open the document at that page, row or sheet. */
const documentLocation = /^(page=\d+|row=\d+|sheet=[^&#\s]+(&row=\d+)?)$/

/** Returns the view of a fragment in the list of its address. */
export function addressFragment(row: FragmentRow, url: string): AddressFragment {
  const { score: _, ...shown } = fragmentView(row, url, 0)
  const { ordinal, tokens, language } = row
  return { ...shown, number: ordinal + 1, tokens, language: language || null, embedded: row.vectorModel !== null }
}

const scoreDecimals = 4

export function fragmentView(
  row: Pick<FragmentRow, 'id' | 'title' | 'headings' | 'text' | 'anchor'>,
  url: string,
  score: number,
): FragmentView {
  return {
    id: row.id,
    score: Number(score.toFixed(scoreDecimals)),
    url,
    link: row.anchor ? `${url}#${urlFragment(row.anchor)}` : url,
    title: row.title,
    headings: row.headings === '' ? [] : row.headings.split(headingSeparator),
    content: row.text,
  }
}

function urlFragment(anchor: string): string {
  return documentLocation.test(anchor) ? anchor : encodeURIComponent(anchor)
}
