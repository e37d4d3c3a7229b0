import type { Client } from '@opensearch-project/opensearch'
import { statusOf } from './search-server'

/** The two indexes of an installation: of its fragments, and of the terms that occur in them. */
export interface IndexNames {
  fragments: string
  terms: string
}

/** Indexes by their aliases. */
export interface WrittenIndexes extends IndexNames {
  /** Identity of the index of terms, which an index that is created later under the same name does not have. */
  id: string
  /** Adds fields for vectors, by their names and widths, unless it has them. */
  addVectorFields(widths: ReadonlyMap<string, number>): Promise<void>
}

interface ExistingIndexes {
  names: IndexNames
  id: string
  fields: ReadonlySet<string>
  meta: Record<string, unknown>
}

/** What is read of the mappings of an index of fragments. */
interface Mappings {
  _meta: Record<string, unknown>
  properties: Record<string, unknown>
}

export interface SearchIndexOptions {
  client: Client
  /** Start of the names of all indexes. */
  prefix: string
  shards: number
}

/** Raised with each change of what is indexed. */
const schemaVersion = 2
/** Keys in one filter. */
const maxFilterKeys = 1_000_000

/** Aliases: searches read `current`; while an index is rebuilt, documents are written to `next`, too. */
export function aliasesOf(prefix: string): { current: IndexNames; next: IndexNames } {
  const names = (suffix: string) => ({ fragments: `${prefix}-fragments${suffix}`, terms: `${prefix}-terms${suffix}` })
  return { current: names(''), next: names('-next') }
}

/** Creates, finds, replaces and deletes the indexes of an installation. */
export function createSearchIndexes({ client, prefix, shards }: SearchIndexOptions) {
  const aliases = aliasesOf(prefix)

  /** Creates the indexes unless they exist. Returns whether they are those of this version. */
  async function ensure(): Promise<boolean> {
    if (!(await find(aliases.current))) await create(1, aliases.current)
    return isCurrent()
  }

  /** Whether searches read indexes of this version. */
  async function isCurrent(): Promise<boolean> {
    const meta = (await find(aliases.current))?.meta
    return meta?.schema === schemaVersion
  }

  /** Where documents are written to: the current indexes, and those that are being filled. */
  async function written(): Promise<WrittenIndexes[]> {
    const [current, next] = await Promise.all([find(aliases.current), find(aliases.next)])
    return [
      ...(current ? [writtenIndexes(aliases.current, current)] : []),
      ...(next ? [writtenIndexes(aliases.next, next)] : []),
    ]
  }

  function writtenIndexes(names: IndexNames, { id, fields }: ExistingIndexes): WrittenIndexes {
    return {
      ...names,
      id,
      async addVectorFields(widths) {
        const missing = [...widths].filter(([name]) => !fields.has(name))
        if (missing.length === 0) return
        const properties = Object.fromEntries(missing.map(([name, dimensions]) => [name, vectorProperty(dimensions)]))
        await client.indices.putMapping({ index: names.fragments, body: { properties } as Record<string, unknown> })
      },
    }
  }

  /**
   * Creates empty indexes beside the current ones, to which documents are written from now on, too. False if they exist,
   * from a rebuild that was interrupted.
   */
  async function createNext(): Promise<boolean> {
    if (await find(aliases.next)) return false
    const current = await find(aliases.current)
    await create(1 + Number(/-(\d+)$/.exec(current?.names.fragments ?? '')?.[1] ?? 0), aliases.next)
    return true
  }

  /** Searches read the next indexes from now on. Deletes those before them. */
  async function replaceCurrent(): Promise<void> {
    const next = await find(aliases.next)
    if (!next) throw new Error('There is no next index.')
    // Searches find all that was written to them from the first on.
    await client.indices.refresh({ index: [next.names.fragments, next.names.terms] })
    const former = await find(aliases.current)
    const actions = (['fragments', 'terms'] as const).flatMap((kind) => [
      ...(former ? [{ remove: { index: former.names[kind], alias: aliases.current[kind] } }] : []),
      { remove: { index: next.names[kind], alias: aliases.next[kind] } },
      { add: { index: next.names[kind], alias: aliases.current[kind] } },
    ])
    await client.indices.updateAliases({ body: { actions } })
    if (former)
      await client.indices.delete({ index: [former.names.fragments, former.names.terms], ignore_unavailable: true })
  }

  /** The indexes behind two aliases; null unless both exist. */
  async function find(names: IndexNames): Promise<ExistingIndexes | null> {
    const { body } = await client.indices.get({ index: [names.fragments, names.terms], ignore_unavailable: true })
    const found = (alias: string) => Object.entries(body).find(([, { aliases: named }]) => named && alias in named)
    const [fragments, terms] = [found(names.fragments), found(names.terms)]
    if (!fragments || !terms) return null
    const mappings = fragments[1].mappings as Partial<Mappings> | undefined
    return {
      names: { fragments: fragments[0], terms: terms[0] },
      id: uuidOf(terms[1].settings),
      fields: new Set(Object.keys(mappings?.properties ?? {})),
      meta: mappings?._meta ?? {},
    }
  }

  async function create(number: number, names: IndexNames): Promise<void> {
    const created = { fragments: `${prefix}-fragments-${number}`, terms: `${prefix}-terms-${number}` }
    await createIndex(created.terms, names.terms, termsIndex(shards))
    await createIndex(created.fragments, names.fragments, fragmentsIndex(shards))
  }

  async function createIndex(index: string, alias: string, body: Record<string, unknown>): Promise<void> {
    try {
      await client.indices.create({ index, body: { ...body, aliases: { [alias]: {} } } })
    } catch (error) {
      // Processes that start together create it at once.
      if (statusOf(error) !== 400 || !String(error).includes('resource_already_exists')) throw error
    }
  }

  return { aliases, ensure, isCurrent, written, createNext, replaceCurrent }
}

export type SearchIndexes = ReturnType<typeof createSearchIndexes>

function uuidOf(settings: object | undefined): string {
  const { index = {} } = (settings ?? {}) as { index?: { uuid?: string } }
  return index.uuid ?? ''
}

function settingsOf(shards: number) {
  return { number_of_shards: shards, auto_expand_replicas: '0-1', refresh_interval: '1s' }
}

function fragmentsIndex(shards: number): Record<string, unknown> {
  return {
    settings: {
      index: {
        ...settingsOf(shards),
        knn: true,
        max_terms_count: maxFilterKeys,
        // Versions of deleted documents are kept for as long as a late delivery may take.
        gc_deletes: '10m',
        // See docs/decisions/keyword-ranking.md.
        similarity: { fragments: { type: 'BM25', k1: 1.2, b: 0.5 } },
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { schema: schemaVersion },
      _source: { enabled: false },
      properties: {
        key: { type: 'long' },
        collection: { type: 'keyword' },
        words: { type: 'text', analyzer: 'whitespace', similarity: 'fragments' },
        terms: { type: 'text', analyzer: 'whitespace', similarity: 'fragments', index_options: 'freqs' },
      },
    },
  }
}

function vectorProperty(dimensions: number): Record<string, unknown> {
  return {
    type: 'knn_vector',
    dimension: dimensions,
    method: {
      name: 'hnsw',
      engine: 'lucene',
      space_type: 'innerproduct',
      parameters: { m: 16, ef_construction: 128 },
    },
  }
}

function termsIndex(shards: number): Record<string, unknown> {
  return {
    settings: { index: settingsOf(shards) },
    mappings: { dynamic: 'strict', _source: { enabled: false }, properties: { term: { type: 'keyword' } } },
  }
}
