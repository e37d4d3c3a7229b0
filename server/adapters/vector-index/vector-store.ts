import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'

const bytesOfNumber = 4

interface KeyedVector {
  key: number
  vector: Float32Array
}

/** Stores vectors in the place of those with the same keys, and says which chunks of the table have changed by it. */
export async function addVectors(tx: Transaction, collectionId: string, vectors: KeyedVector[]): Promise<void> {
  const [first] = vectors
  if (!first) return
  const keys = vectors.map(({ key }) => key)
  const before = await chunksOf(tx, keys)
  if (before.length > 0) await deleteVectors(tx, keys)
  // Two parameters for all rows: SQLite cuts the vectors out of one another faster than they are bound.
  const bytes = BigInt(first.vector.length * bytesOfNumber)
  await tx.execute(sql`insert into fragment_vectors (key, collection_id, vector)
    select value, ${collectionId}, substr(${joined(vectors)}, 1 + key * ${bytes}, ${bytes}) from json_each(${JSON.stringify(keys)})`)
  await markChunks(tx, collectionId, [...before, ...(await chunksOf(tx, keys))])
}

/** In one partition; keys without a vector are passed over. */
export async function removeVectors(tx: Transaction, collectionId: string, keys: number[]): Promise<void> {
  const chunks = await chunksOf(tx, keys)
  if (chunks.length === 0) return
  await deleteVectors(tx, keys)
  await markChunks(tx, collectionId, chunks)
}

async function chunksOf(tx: Transaction, keys: number[]): Promise<number[]> {
  const rows = await tx.execute<{ chunk_id: number }>(
    sql`select distinct chunk_id from fragment_vectors_rowids where rowid in (${listed(keys)})`,
  )
  return rows.map((row) => row.chunk_id)
}

/** One by one: for a list of keys sqlite-vec reads every row of every collection. */
async function deleteVectors(tx: Transaction, keys: number[]): Promise<void> {
  for (const key of keys) await tx.execute(sql`delete from fragment_vectors where key = ${BigInt(key)}`)
}

/**
 * Gives the collection and these chunks a revision that no collection ever had, by which copies in memory follow.
 * sqlite-vec takes away a chunk with its last vector; a collection without any has no revision.
 */
async function markChunks(tx: Transaction, collectionId: string, chunks: number[]): Promise<void> {
  await tx.execute(sql`insert or replace into vector_revisions (collection_id, searched_at)
    values (${collectionId}, (select searched_at from vector_revisions where collection_id = ${collectionId}))`)
  await tx.execute(sql`insert or replace into vector_chunks (chunk_id, collection_id, revision)
    select chunk_id, ${collectionId}, (select revision from vector_revisions where collection_id = ${collectionId})
    from fragment_vectors_chunks where chunk_id in (${listed(chunks)})`)
  const gone = await tx.execute<{ chunk_id: number }>(sql`delete from vector_chunks
    where chunk_id in (${listed(chunks)}) and chunk_id not in (select chunk_id from fragment_vectors_chunks)
    returning chunk_id`)
  if (gone.length === 0) return
  await tx.execute(sql`delete from vector_revisions where collection_id = ${collectionId}
    and not exists (select 1 from vector_chunks where collection_id = ${collectionId})`)
}

function listed(numbers: number[]): SQL {
  return sql`select value from json_each(${JSON.stringify(numbers)})`
}

function joined(vectors: KeyedVector[]): Buffer {
  return Buffer.concat(vectors.map(({ vector }) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)))
}
