import { addresses } from '../../db/schema/addresses'
import { sources } from '../../db/schema/collections'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import type { Fragment } from '../../server/engine/ports/extractor'
import type { Embedder } from '../../server/engine/ports/search-index'
import { replaceFragments } from '../../server/services/fragments/fragments'
import { openTestApp } from './app'
import { settleSearch } from './database/cluster'

const dimensions = 384
const fragmentsOfPage = 20
const limit = 10
const vocabulary = Array.from({ length: 400 }, (_, n) => `word${n.toString(36)}`)

export interface IsolationSize {
  organizations: number
  /** Of each organization; from 160 on each of its sources has enough pages to fill a search. */
  fragments: number
  queries: number
}

export interface IsolationResult {
  /** Hits of another organization, or of another source than the one that was named. */
  foreign: number
  /** Searches that found fewer than there are. */
  short: number
  /** Milliseconds. */
  stored: number
  searched: number
}

interface Organization {
  organizationId: string
  collectionId: string
  host: string
  sourceIds: string[]
}

/**
 * Organizations with a collection each, whose fragments share their words; and queries that are word for word a fragment of
 * another organization, with exactly its vector, so that what is nearest is always foreign. Every second query names a source.
 */
export async function measureIsolation({ organizations, fragments, queries }: IsolationSize): Promise<IsolationResult> {
  const { app } = await openTestApp({}, { embedder: async () => embedder })
  try {
    const random = createRandom(7)
    const startedAt = performance.now()
    const all: Organization[] = []
    for (let n = 0; n < organizations; n++) all.push(await furnish(app, n, fragments))
    await app.startEmbedding()
    for (const { collectionId } of all) {
      while ((await app.services.embedding.embedNext(collectionId, new AbortController().signal)) > 0);
    }
    const storedAt = performance.now()
    let foreign = 0
    let short = 0
    for (let n = 0; n < queries; n++) {
      const own = Math.floor(random() * organizations)
      const otherNumber = (own + 1 + Math.floor(random() * (organizations - 1))) % organizations
      const { found, wanted } = await ask(
        app,
        all[own],
        textOf(otherNumber, Math.floor(random() * fragments)),
        n % 2 === 1,
      )
      foreign += found.filter((url) => !wanted.some((start) => url.startsWith(start))).length
      if (found.length < limit) short++
    }
    return { foreign, short, stored: storedAt - startedAt, searched: performance.now() - storedAt }
  } finally {
    await app.close()
  }
}

async function ask(app: App, organization: Organization | undefined, query: string, namesSource: boolean) {
  if (!organization) throw new Error('There is no such organization.')
  const { organizationId, collectionId, host, sourceIds } = organization
  const [, second = ''] = sourceIds
  const narrowed = namesSource ? { sourceId: [second] } : {}
  const asked = { collectionId, query, limit, threshold: 0, ...narrowed }
  const { fragments } = await app.services.search.collection(system, organizationId, asked)
  const wanted = namesSource ? [`https://${host}/1/`] : [`https://${host}/0/`, `https://${host}/1/`]
  return { found: fragments.map(({ url }) => url), wanted }
}

/** Two sources, half of the fragments each. */
async function furnish(app: App, n: number, fragments: number): Promise<Organization> {
  const { id: organizationId } = await app.services.organizations.create(system, {
    name: `Number ${n}`,
    entity_name: '',
  })
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name: 'Pages',
    description: '',
  })
  const host = `o${n}.example`
  const sourceIds = [`${n}-0`, `${n}-1`]
  for (let page = 0; page * fragmentsOfPage < fragments; page++) {
    const half = page % 2
    const keys = { organizationId, collectionId, sourceId: sourceIds[half] ?? '' }
    const address = { ...keys, id: `${n}-${page}` }
    const first = page * fragmentsOfPage
    const wanted = Array.from({ length: Math.min(fragmentsOfPage, fragments - first) }, (_, ordinal) =>
      fragmentOf(ordinal, textOf(n, first + ordinal)),
    )
    await app.db.write(async (tx) => {
      if (page < 2)
        await tx.insert(sources).values({ ...keys, id: keys.sourceId, type: 'url', name: 'Pages', status: 'idle' })
      const told = { url: `https://${host}/${half}/${page}`, status: 'idle' as const, fragments: wanted.length }
      await tx.insert(addresses).values({ ...address, ...told })
      await replaceFragments(tx, app.indexes, address, wanted)
    })
  }
  await settleSearch(app)
  return { organizationId, collectionId, host, sourceIds }
}

function fragmentOf(ordinal: number, text: string): Fragment {
  const said = { headings: [], innerHeadings: [], anchor: null, tokens: 20, language: 'en' }
  return { ordinal, text, title: '', hash: `hash of ${text}`, ...said }
}

function textOf(organization: number, fragment: number): string {
  const random = createRandom(organization * 1_000_003 + fragment + 1)
  const words = Array.from({ length: 10 }, () => vocabulary[Math.floor(random() * vocabulary.length)])
  return `The lamp o${organization}f${fragment} ${words.join(' ')}`
}

/** The same text has the same vector, whoever asks for it; different ones are as far apart as chance has it. */
const embedder: Embedder = {
  model: 'by-chance@1',
  dimensions,
  embedPassages: async (texts) => texts.map(vectorOf),
  embedQuery: async (text) => vectorOf(text),
  close: async () => {},
}

function vectorOf(text: string): Float32Array {
  let seed = 1
  for (const letter of text) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647
  const random = createRandom(seed)
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Lehmer's generator (Park and Miller 1988), from 0 to 1. */
function createRandom(start: number): () => number {
  let seed = (start % 2_147_483_646) + 1
  return () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
}
