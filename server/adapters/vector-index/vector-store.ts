import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'

const bytesPerFloat = 4

interface KeyedVector {
  key: number
  vector: Float32Array
}

/** Stores vectors, replacing those with the same keys, and marks the chunks of the table that changed. */
export async function addVectors(tx: Transaction, collectionId: string, vectors: KeyedVector[]): Promise<void> {
  const [first] = vectors
  if (!first) return
  const keys = vectors.map(({ key }) => key)
  const before = await chunksOf(tx, keys)
  if (before.length > 0) await deleteVectors(tx, keys)
  // Two parameters for all rows: SQLite splits them faster than hundreds of parameters are bound.
  const bytes = BigInt(first.vector.length * bytesPerFloat)
  await tx.execute(sql`insert into fragment_vectors (key, collection_id, vector)
    select value, ${collectionId}, substr(${concatenate(vectors)}, 1 + key * ${bytes}, ${bytes}) from json_each(${JSON.stringify(keys)})`)
  await markChunks(tx, collectionId, [...before, ...(await chunksOf(tx, keys))])
}

/** Removes vectors of one partition. Ignores keys without a vector. */
export async function removeVectors(tx: Transaction, collectionId: string, keys: number[]): Promise<void> {
  const chunks = await chunksOf(tx, keys)
  if (chunks.length === 0) return
  await deleteVectors(tx, keys)
  await markChunks(tx, collectionId, chunks)
}

async function chunksOf(tx: Transaction, keys: number[]): Promise<number[]> {
  const rows = await tx.execute<{ chunk_id: number }>(
    sql`select distinct chunk_id from fragment_vectors_rowids where rowid in (${listOf(keys)})`,
  )
  return rows.map((row) => row.chunk_id)
}

/** One at a time, because sqlite-vec scans all rows of all collections for a list of keys. */
async function deleteVectors(tx: Transaction, keys: number[]): Promise<void> {
  for (const key of keys) await tx.execute(sql`delete from fragment_vectors where key = ${BigInt(key)}`)
}

/**
 * Gives the collection and these chunks a new revision, by which cached copies detect changes. Revisions are never
 * reused. sqlite-vec deletes a chunk with its last vector; a collection without vectors has no revision.
 */
async function markChunks(tx: Transaction, collectionId: string, chunks: number[]): Promise<void> {
  await tx.execute(sql`insert or replace into vector_revisions (collection_id, searched_at)
    values (${collectionId}, (select searched_at from vector_revisions where collection_id = ${collectionId}))`)
  await tx.execute(sql`insert or replace into vector_chunks (chunk_id, collection_id, revision)
    select chunk_id, ${collectionId}, (select revision from vector_revisions where collection_id = ${collectionId})
    from fragment_vectors_chunks where chunk_id in (${listOf(chunks)})`)
  const deleted = await tx.execute<{ chunk_id: number }>(sql`delete from vector_chunks
    where chunk_id in (${listOf(chunks)}) and chunk_id not in (select chunk_id from fragment_vectors_chunks)
    returning chunk_id`)
  if (deleted.length === 0) return
  await tx.execute(sql`delete from vector_revisions where collection_id = ${collectionId}
    and not exists (select 1 from vector_chunks where collection_id = ${collectionId})`)
}

function listOf(numbers: number[]): SQL {
  return sql`select value from json_each(${JSON.stringify(numbers)})`
}

function concatenate(vectors: KeyedVector[]): Buffer {
  return Buffer.concat(vectors.map(({ vector }) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)))
}
