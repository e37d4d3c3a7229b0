import type { Client } from '@opensearch-project/opensearch'
import { LRUCache } from 'lru-cache'
import type { IndexedText } from '../../engine/ports/search-index'
import { fragmentDocument, type VectorFields, vectorField, vocabularyOf } from './fragment-document'
import type { OutboxEntry } from './outbox'
import type { WrittenIndexes } from './search-indexes'
import type { KeyedVector } from './stored-vectors'

/** The state of a fragment in the record; without a text, it is deleted. */
export interface Delivery extends OutboxEntry {
  text: IndexedText | null
  /** Of the sets of the collection. */
  vectors: KeyedVector[]
}

/** Terms that this process has written, which need not be written again. */
const maxKnownTerms = 200_000
/** A document of a later state has been written: this one is obsolete. */
const conflict = 409
/** The document itself is wrong, so it would be refused again. */
const invalid = 400

/** Writes and deletes documents. Deliveries may be repeated and may overtake each other; the latest state stays. */
export function createDocumentWriter(client: Client, log: { error(details: object, message: string): void }) {
  const known = new LRUCache<string, true>({ max: maxKnownTerms })

  /** Throws if a document was not written. Logs and skips one that can never be written. */
  async function write(indexes: WrittenIndexes[], deliveries: Delivery[]): Promise<void> {
    const documents = deliveries.map(({ text, vectors, ...entry }) => ({
      ...entry,
      document: text && fragmentDocument(text),
      fields: fieldsOf(vectors),
    }))
    const widths = new Map(documents.flatMap(({ fields }) => Object.entries(fields).map(widthOf)))
    for (const names of indexes) {
      await names.addVectorFields(widths)
      const lines = documents.flatMap(({ key, collectionId, revision, document, fields }): object[] => {
        const target = {
          ...{ _index: names.fragments, _id: String(key), routing: collectionId },
          ...{ version: revision, version_type: 'external' },
        }
        return document ? [{ index: target }, { ...document, ...fields }] : [{ delete: target }]
      })
      await send(lines)
      await writeTerms(names, documents)
    }
  }

  async function writeTerms(
    { id, terms: index }: WrittenIndexes,
    documents: { collectionId: string; document: ReturnType<typeof fragmentDocument> | null }[],
  ): Promise<void> {
    const added = new Map<string, string>()
    for (const { collectionId, document } of documents) {
      if (!document) continue
      for (const term of vocabularyOf(document)) if (!known.has(`${id} ${term}`)) added.set(term, collectionId)
    }
    if (added.size === 0) return
    await send([...added].flatMap(([term, routing]) => [{ create: { _index: index, _id: term, routing } }, { term }]))
    for (const term of added.keys()) known.set(`${id} ${term}`, true)
  }

  async function send(lines: object[]): Promise<void> {
    if (lines.length === 0) return
    // Without an alias, the server would make an index with other fields.
    const { body } = await client.bulk({ body: lines as Record<string, unknown>[], require_alias: true })
    if (!body.errors) return
    for (const item of body.items) {
      const [result] = Object.values(item)
      if (!result?.error || result.status === conflict) continue
      if (result.status === invalid) {
        log.error({ id: result._id, reason: result.error.reason }, 'OpenSearch refuses a document; searches lack it.')
        continue
      }
      throw new Error(`The search index refused a document: ${result.error?.reason ?? result.status}`)
    }
  }

  return { write }
}

function fieldsOf(vectors: KeyedVector[]): VectorFields {
  return Object.fromEntries(
    vectors.map(({ key, vector }) => [vectorField(key < 0 ? 1 : 0, vector.length), Array.from(vector)]),
  )
}

function widthOf([name, vector]: [string, number[]]): [string, number] {
  return [name, vector.length]
}
