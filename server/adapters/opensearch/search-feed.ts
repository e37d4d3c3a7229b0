import type { Client } from '@opensearch-project/opensearch'
import type { Database } from '../../../db/database'
import type { LoadTexts, SearchFeed } from '../../engine/ports/search-index'
import { createDocumentWriter } from './document-writer'
import { createOutbox } from './outbox'
import type { SearchIndexes } from './search-indexes'
import { isTemporary } from './search-server'
import { type KeyedVector, readVectors } from './stored-vectors'

/** Fragments in one delivery. */
const batchSize = 500
/** The state of a fragment that is not in the record. */
const deleted = { text: null, vectors: [] }

export function createSearchFeed({
  client,
  db,
  indexes,
  log,
}: {
  client: Client
  db: Database
  indexes: SearchIndexes
  log: { error(details: object, message: string): void }
}): SearchFeed {
  const outbox = createOutbox(db)
  const writer = createDocumentWriter(client, log)

  return {
    async deliverNext(loadTexts) {
      const entries = await outbox.claim(batchSize)
      if (entries.length === 0) return 0
      try {
        const stateOf = await readStates(
          entries.map(({ key }) => key),
          loadTexts,
        )
        const deliveries = entries.map((entry) => ({ ...entry, ...(stateOf.get(entry.key) ?? deleted) }))
        await writer.write(await written(), deliveries)
      } catch (error) {
        await outbox.release(entries)
        throw error
      }
      await outbox.complete(entries)
      return entries.length
    },

    pending: outbox.pending,

    async refresh() {
      const { current } = indexes.aliases
      await client.indices.refresh({ index: [current.fragments, current.terms] })
    },

    async health() {
      try {
        const { current } = indexes.aliases
        const [{ body: cluster }, { body: stats }] = await Promise.all([
          client.cluster.health({ index: current.fragments }),
          client.indices.stats({ index: [current.fragments, current.terms], metric: ['docs', 'store'] }),
        ])
        const status = cluster.status === 'green' || cluster.status === 'yellow' ? cluster.status : 'red'
        const { docs, store } = stats._all.primaries ?? {}
        return { status, documents: docs?.count ?? 0, bytes: Number(store?.size_in_bytes ?? 0) }
      } catch (error) {
        if (!isTemporary(error)) throw error
        return { status: 'away', documents: 0, bytes: 0 }
      }
    },

    isCurrent: indexes.isCurrent,
    beginRebuild: indexes.createNext,

    async rewrite(keys, loadTexts) {
      // Before the fragments are read: see the claims of the outbox.
      const revisions = await outbox.revisions(keys.length)
      const states = [...(await readStates(keys, loadTexts))]
      const deliveries = states.map(([key, state], n) => ({
        ...{ key, collectionId: state.text.collectionId, revision: revisions[n] ?? 0 },
        ...state,
      }))
      const { next } = indexes.aliases
      await writer.write(
        (await indexes.written()).filter(({ fragments }) => fragments === next.fragments),
        deliveries,
      )
    },

    finishRebuild: indexes.replaceCurrent,
  }

  /** Texts and vectors by key, without fragments that were deleted. */
  async function readStates(keys: number[], loadTexts: LoadTexts) {
    const stored = [...keys, ...keys.map((key) => -key)]
    const [texts, vectors] = await Promise.all([loadTexts(keys), readVectors(db.read, stored)])
    const vectorsOf = new Map<number, KeyedVector[]>()
    for (const item of vectors) {
      const key = Math.abs(item.key)
      vectorsOf.set(key, [...(vectorsOf.get(key) ?? []), item])
    }
    return new Map(texts.map((text) => [text.key, { text, vectors: vectorsOf.get(text.key) ?? [] }]))
  }

  async function written() {
    const names = await indexes.written()
    if (names.length > 0) return names
    // Lost, with all that it held.
    await indexes.ensure()
    return indexes.written()
  }
}
