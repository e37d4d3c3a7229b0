import { and, asc, eq, inArray } from 'drizzle-orm'
import type { AddressFragment } from '../../../contract/views/address'
import type { FragmentView } from '../../../contract/views/fragment'
import type { Transaction } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { addressBlocks } from '../../../db/schema/blocks'
import { boilerplateHeading, headingSeparator, isBoilerplateHeading } from '../../engine/chunking/embedding-text'
import type { Fragment, IndexedText, TextIndex, VectorIndex } from '../../engine/ports'
import { isMoved, type KeptRow, kept, type Move, moveFragment, moveOf } from './fragment-diff'

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
 * the others are added and removed with their words and vectors. Returns how many are new. For an address that may have
 * very many, `clearFragments` goes before it.
 */
export async function replaceFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  wanted: Fragment[],
): Promise<number> {
  const stored = await tx.select(kept).from(fragments).where(eq(fragments.addressId, address.id))
  const byHash = groupByHash(stored)
  const added: Fragment[] = []
  for (const fragment of wanted) {
    const same = byHash.get(fragment.hash)?.shift()
    if (!same) added.push(fragment)
    else if (isMoved(same, fragment)) await moveFragment(tx, moveOf(same, fragment))
  }
  const gone = [...byHash.values()].flat().map((row) => row.key)
  await removeFragments(tx, indexes, address.collectionId, gone)
  // What an address was cut from goes with the last of it.
  if (wanted.length === 0) await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, address.id))
  await addFragments(tx, indexes, address, added)
  return added.length
}

/**
 * Adds the next fragments of an address that is stored piece by piece; those whose hash is there already stay as they
 * are, except that some will move. `isTaken` names those that stand for an earlier fragment of the same text. Returns
 * the keys, in order, and how many are new.
 */
export async function mergeFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  some: Fragment[],
  isTaken: (row: { key: number; ordinal: number }) => boolean,
): Promise<{ keys: number[]; added: number; moves: Move[] }> {
  const hashes = some.map(({ hash }) => hash)
  const here = and(eq(fragments.addressId, address.id), inArray(fragments.hash, hashes))
  const stored = await tx.select(kept).from(fragments).where(here).orderBy(asc(fragments.key))
  const byHash = groupByHash(stored.filter((row) => !isTaken(row)))
  const keys = new Map<Fragment, number>()
  const moves: Move[] = []
  for (const fragment of some) {
    const same = byHash.get(fragment.hash)?.shift()
    if (!same) continue
    keys.set(fragment, same.key)
    if (isMoved(same, fragment)) moves.push(moveOf(same, fragment))
  }
  const added = some.filter((fragment) => !keys.has(fragment))
  for (const [fragment, key] of await addFragments(tx, indexes, address, added)) keys.set(fragment, key)
  return { keys: some.map((fragment) => keys.get(fragment) ?? missingKey()), added: added.length, moves }
}

function groupByHash(rows: KeptRow[]): Map<string, KeptRow[]> {
  const byHash = new Map<string, KeptRow[]>()
  for (const row of rows) {
    const same = byHash.get(row.hash)
    if (same) same.push(row)
    else byHash.set(row.hash, [row])
  }
  return byHash
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

async function addFragments(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  added: Fragment[],
): Promise<Map<Fragment, number>> {
  const keys = new Map<Fragment, number>()
  for (let start = 0; start < added.length; start += rowsAtOnce) {
    for (const [fragment, key] of await addSome(tx, indexes, address, added.slice(start, start + rowsAtOnce))) {
      keys.set(fragment, key)
    }
  }
  return keys
}

async function addSome(
  tx: Transaction,
  indexes: Indexes,
  address: AddressKeys,
  added: Fragment[],
): Promise<[Fragment, number][]> {
  const { id: addressId, organizationId, collectionId, sourceId } = address
  const rows = await tx
    .insert(fragments)
    .values(added.map((fragment) => ({ organizationId, collectionId, sourceId, addressId, ...columnsOf(fragment) })))
    // The texts are at hand, and need not come back.
    .returning({ key: fragments.key, ordinal: fragments.ordinal })
  const byOrdinal = new Map(rows.map(({ key, ordinal }) => [ordinal, key]))
  const keyed = added.map((fragment): [Fragment, number] => [fragment, byOrdinal.get(fragment.ordinal) ?? missingKey()])
  await indexes.text.add(
    tx,
    keyed.map(([fragment, key]) => indexedText({ ...columnsOf(fragment), key, collectionId })),
  )
  return keyed
}

/** What is found of a fragment by words. */
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
  const all = [own, innerHeadings].filter((one) => one !== '').join(headingSeparator)
  return { key, collectionId, title, headings: all, text }
}

/** Fragments of one page have an ordinal each. */
function missingKey(): never {
  throw new Error('Two fragments of one page have the same ordinal.')
}

function columnsOf(fragment: Fragment) {
  const { ordinal, title, headings, innerHeadings, text, anchor, hash, tokens, language } = fragment
  const joined = { headings: headings.join(headingSeparator), innerHeadings: innerHeadings.join(headingSeparator) }
  return { ordinal, title, ...joined, text, anchor, hash, tokens, language }
}

/** Places of a document, as its reader writes them: they say where it is to be opened. */
const placeOfDocument = /^(page=\d+|row=\d+|sheet=[^&#\s]+(&row=\d+)?)$/

/** A fragment among the others of its address. */
export function addressFragment(row: FragmentRow, url: string): AddressFragment {
  const { score: _, ...shown } = fragmentView(row, url, 0)
  const { ordinal, tokens, language } = row
  return { ...shown, number: ordinal + 1, tokens, language: language || null, embedded: row.vectorModel !== null }
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
    link: row.anchor ? `${url}#${partOfAddress(row.anchor)}` : url,
    title: row.title,
    headings: row.headings === '' ? [] : row.headings.split(headingSeparator),
    content: row.text,
  }
}

function partOfAddress(anchor: string): string {
  return placeOfDocument.test(anchor) ? anchor : encodeURIComponent(anchor)
}
