import { and, asc, eq, gt, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SearchFilters } from '../../../contract/chat/search-query'
import type { Queries } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { withoutIndex } from '../../../db/sql'
import { storedTypeOf } from '../../engine/crawl/fetch/content/document-kind'
import { createPathPatterns } from '../../engine/crawl/urls/url-patterns'
import type { FragmentFilter } from '../../engine/search/candidates'
import { AppError } from '../../errors'
import { isOfSource, isSearchable } from '../fragments/visible-fragments'

/** Row limits that keep each statement short, because statements block the event loop. */
const addressBatchSize = 500
const keyBatchSize = 2_000
/** Collecting more keys takes longer than 200 ms, which a search without filters must not. */
const maxUnfilteredKeys = 100_000

/**
 * Creates the filter of a search in a collection: which fragments match the request's filters, and are not being deleted
 * or still incomplete. Throws not_found for a source that the collection does not have.
 */
export async function createFragmentFilter(
  queries: Queries,
  collectionId: string,
  filters: SearchFilters,
): Promise<FragmentFilter> {
  const { sourceId = [], path = [], type = [] } = filters
  const columns = columnConditions(filters)
  const isNarrowing = columns.length + sourceId.length + path.length + type.length > 0
  const patterns = createPathPatterns({ include: path })
  const named = sourceId.length > 0 ? await sourcesOf(queries, collectionId, sourceId) : null
  const matches = ({ url, contentType }: Pick<AddressRow, 'url' | 'contentType'>) =>
    (type.length === 0 || type.includes(storedTypeOf(contentType ?? '', url) ?? 'page')) && patterns.admits(pathOf(url))
  let all: Promise<ReadonlySet<number> | null> | null = null

  async function collectAll(): Promise<ReadonlySet<number> | null> {
    const keys = new Set<number>()
    for (const source of named ?? (await sourcesOf(queries, collectionId, []))) {
      for await (const rows of addressesOf(queries, source, columns)) {
        for (const group of groupsOf(rows.filter(matches))) {
          for await (const batch of keysOf(queries, group)) for (const { key } of batch) keys.add(key)
        }
        if (keys.size > maxUnfilteredKeys && !isNarrowing) return null
      }
    }
    return keys
  }

  return {
    isNarrowing,

    async select(keys) {
      if (keys.length === 0) return new Set()
      const rows = await queries
        .select({ key: fragments.key, url: addresses.url, contentType: addresses.contentType })
        .from(fragments)
        .innerJoin(addresses, eq(addresses.id, fragments.addressId))
        .innerJoin(sources, isOfSource())
        .where(
          and(
            isSearchable(collectionId, keys),
            named ? inArray(withoutIndex(fragments.sourceId), named) : undefined,
            ...columns,
          ),
        )
      return new Set(rows.filter(matches).map(({ key }) => key))
    },

    selectAll() {
      all ??= collectAll()
      return all
    },
  }
}

type AddressRow = Pick<
  typeof addresses.$inferSelect,
  'id' | 'url' | 'contentType' | 'fragments' | 'committedThroughKey'
>

/** All addresses of a source that meet the conditions, in batches. */
async function* addressesOf(queries: Queries, sourceId: string, columns: SQL[]): AsyncGenerator<AddressRow[]> {
  const { id, url, contentType, fragments, committedThroughKey } = addresses
  for (let last = ''; ; ) {
    const rows = await queries
      .select({ id, url, contentType, fragments, committedThroughKey })
      .from(addresses)
      .where(and(eq(addresses.sourceId, sourceId), gt(id, last), ...columns))
      .orderBy(asc(id))
      .limit(addressBatchSize)
    yield rows
    const end = rows.at(-1)
    if (!end || rows.length < addressBatchSize) return
    last = end.id
  }
}

/** Groups addresses so that the fragments of a group fit in one batch. An address with more is a group of its own. */
function groupsOf(rows: AddressRow[]): AddressRow[][] {
  const groups: AddressRow[][] = []
  let room = 0
  for (const row of rows) {
    const size = isLarge(row) ? Number.POSITIVE_INFINITY : Math.max(1, row.fragments)
    if (size > room) {
      groups.push([])
      room = keyBatchSize
    }
    groups.at(-1)?.push(row)
    room -= size
  }
  return groups
}

/** While a document is being stored, its number of fragments is unknown. */
function isLarge({ fragments, committedThroughKey }: AddressRow): boolean {
  return fragments > keyBatchSize || committedThroughKey !== null
}

async function* keysOf(queries: Queries, rows: AddressRow[]): AsyncGenerator<{ key: number }[]> {
  const { key, ordinal, addressId } = fragments
  const ofAddresses = inArray(
    addressId,
    rows.map(({ id }) => id),
  )
  if (!rows.some(isLarge)) {
    yield await queries.select({ key }).from(fragments).where(ofAddresses)
    return
  }
  const [row] = rows
  const isCommitted = row?.committedThroughKey && row.fragments > 0 ? lte(key, row.committedThroughKey) : undefined
  for (let last = { ordinal: -1, key: -1 }; ; ) {
    // While a document replaces another, two of its fragments may have the same ordinal.
    const isAfter = or(gt(ordinal, last.ordinal), and(eq(ordinal, last.ordinal), gt(key, last.key)))
    const batch = await queries
      .select({ key, ordinal })
      .from(fragments)
      .where(and(ofAddresses, isCommitted, isAfter))
      .orderBy(asc(ordinal), asc(key))
      .limit(keyBatchSize)
    yield batch
    const end = batch.at(-1)
    if (!end || batch.length < keyBatchSize) return
    last = end
  }
}

/** The filters on columns of addresses. */
function columnConditions(filters: SearchFilters): SQL[] {
  const { language = [] } = filters
  const dates = [
    [addresses.publishedAt, filters.publishedSince, filters.publishedUntil],
    [addresses.modifiedAt, filters.modifiedSince, filters.modifiedUntil],
    [addresses.fetchedAt, filters.fetchedSince, filters.fetchedUntil],
  ] as const
  return [
    or(...language.flatMap((tag) => [eq(addresses.language, tag), sql`${addresses.language} like ${`${tag}-%`}`])),
    ...dates.flatMap(([column, since, until]) => [since && gte(column, since), until && lte(column, until)]),
  ].filter((condition) => condition !== undefined)
}

/** Returns the ids of the named sources of a collection, or of all. Throws not_found. */
async function sourcesOf(queries: Queries, collectionId: string, named: string[]): Promise<string[]> {
  const ofCollection = and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
  const known = (await queries.select({ id: sources.id }).from(sources).where(ofCollection)).map(({ id }) => id)
  if (named.length === 0) return known
  if (named.every((id) => known.includes(id))) return [...new Set(named)]
  const message = 'This collection has no such source. Name one of its sources, or omit sourceId.'
  throw new AppError('not_found', message, { details: { fields: { sourceId: [message] } } })
}

/** Returns what patterns match: the URL of a page, or the name of a file as a path. */
function pathOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `http://file/${encodeURIComponent(url.toWellFormed())}`
}
