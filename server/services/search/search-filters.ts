import { and, asc, eq, gt, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SearchFilters } from '../../../contract/search'
import type { Queries } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { withoutIndex } from '../../../db/sql'
import { storedTypeOf } from '../../engine/crawl/fetch/document-kind'
import { createPatterns } from '../../engine/crawl/urls/url-patterns'
import type { Admission } from '../../engine/search/candidates'
import { AppError } from '../../errors'
import { isFound, isOfSource } from '../fragments/visible-fragments'

/** Few enough that no statement holds the event loop for long. */
const rowsAtOnce = 500
const keysAtOnce = 2_000
/** Without a filter more are not gathered, which would take a search longer than .2 s. */
const mostGathered = 100_000

/** Whether these leave anything out. */
export function isNarrowing(filters: SearchFilters): boolean {
  const { sourceId = [], path = [], type = [] } = filters
  return columnConditions(filters).length + sourceId.length + path.length + type.length > 0
}

/**
 * The fragments of a collection that filters leave; without any, those that are not being taken away or still to come.
 * Throws not_found for a source that the collection does not have.
 */
export async function admissionOf(queries: Queries, collectionId: string, filters: SearchFilters): Promise<Admission> {
  const { sourceId = [], path = [], type = [] } = filters
  const columns = columnConditions(filters)
  const patterns = createPatterns({ include: path })
  const named = sourceId.length > 0 ? await sourcesOf(queries, collectionId, sourceId) : null
  const fits = ({ url, contentType }: Pick<AddressRow, 'url' | 'contentType'>) =>
    (type.length === 0 || type.includes(storedTypeOf(contentType ?? '', url) ?? 'page')) && patterns.admits(pathOf(url))
  let everything: Promise<ReadonlySet<number> | null> | null = null

  async function collect(): Promise<ReadonlySet<number> | null> {
    const keys = new Set<number>()
    for (const source of named ?? (await sourcesOf(queries, collectionId, []))) {
      for await (const rows of addressesOf(queries, source, columns)) {
        for (const group of groupsOf(rows.filter(fits))) {
          for await (const some of keysOf(queries, group)) for (const { key } of some) keys.add(key)
        }
        if (keys.size > mostGathered && !isNarrowing(filters)) return null
      }
    }
    return keys
  }

  return {
    async of(keys) {
      if (keys.length === 0) return new Set()
      const rows = await queries
        .select({ key: fragments.key, url: addresses.url, contentType: addresses.contentType })
        .from(fragments)
        .innerJoin(addresses, eq(addresses.id, fragments.addressId))
        .innerJoin(sources, isOfSource())
        .where(
          and(
            isFound(collectionId, keys),
            named ? inArray(withoutIndex(fragments.sourceId), named) : undefined,
            ...columns,
          ),
        )
      return new Set(rows.filter(fits).map(({ key }) => key))
    },

    all() {
      everything ??= collect()
      return everything
    },
  }
}

type AddressRow = Pick<
  typeof addresses.$inferSelect,
  'id' | 'url' | 'contentType' | 'fragments' | 'committedThroughKey'
>

/** All addresses of a source that meet the conditions, piece by piece. */
async function* addressesOf(queries: Queries, sourceId: string, columns: SQL[]): AsyncGenerator<AddressRow[]> {
  const { id, url, contentType, fragments, committedThroughKey } = addresses
  for (let last = ''; ; ) {
    const rows = await queries
      .select({ id, url, contentType, fragments, committedThroughKey })
      .from(addresses)
      .where(and(eq(addresses.sourceId, sourceId), gt(id, last), ...columns))
      .orderBy(asc(id))
      .limit(rowsAtOnce)
    yield rows
    const end = rows.at(-1)
    if (!end || rows.length < rowsAtOnce) return
    last = end.id
  }
}

/** Addresses that have so many fragments together as are read at once; one that may have more is alone. */
function groupsOf(rows: AddressRow[]): AddressRow[][] {
  const groups: AddressRow[][] = []
  let room = 0
  for (const row of rows) {
    const size = isLarge(row) ? Number.POSITIVE_INFINITY : Math.max(1, row.fragments)
    if (size > room) {
      groups.push([])
      room = keysAtOnce
    }
    groups.at(-1)?.push(row)
    room -= size
  }
  return groups
}

/** Of a document that is being stored nobody knows yet how many it will have. */
function isLarge({ fragments, committedThroughKey }: AddressRow): boolean {
  return fragments > keysAtOnce || committedThroughKey !== null
}

async function* keysOf(queries: Queries, rows: AddressRow[]): AsyncGenerator<{ key: number }[]> {
  const { key, ordinal, addressId } = fragments
  const here = inArray(
    addressId,
    rows.map(({ id }) => id),
  )
  if (!rows.some(isLarge)) {
    yield await queries.select({ key }).from(fragments).where(here)
    return
  }
  const [row] = rows
  const settled = row?.committedThroughKey && row.fragments > 0 ? lte(key, row.committedThroughKey) : undefined
  for (let last = { ordinal: -1, key: -1 }; ; ) {
    // While a document takes the place of another, two of its fragments may have one ordinal.
    const behind = or(gt(ordinal, last.ordinal), and(eq(ordinal, last.ordinal), gt(key, last.key)))
    const some = await queries
      .select({ key, ordinal })
      .from(fragments)
      .where(and(here, settled, behind))
      .orderBy(asc(ordinal), asc(key))
      .limit(keysAtOnce)
    yield some
    const end = some.at(-1)
    if (!end || some.length < keysAtOnce) return
    last = end
  }
}

/** What the columns of an address can tell. */
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

/** Those that are named, or all of the collection. */
async function sourcesOf(queries: Queries, collectionId: string, named: string[]): Promise<string[]> {
  const here = and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
  const known = (await queries.select({ id: sources.id }).from(sources).where(here)).map(({ id }) => id)
  if (named.length === 0) return known
  if (named.every((id) => known.includes(id))) return [...new Set(named)]
  const message = 'There is no such source in this collection. Name one of those that it has, or leave sourceId out.'
  throw new AppError('not_found', message, { details: { fields: { sourceId: [message] } } })
}

/** What patterns are compared with: the address of a page, and of a file its name as a path. */
function pathOf(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `http://file/${encodeURIComponent(url.toWellFormed())}`
}
