import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { keysInSet } from '../vector-keys'
import { blockSize } from './copies/layout'

const bytesPerFloat = 4

interface KeyedVector {
  key: number
  vector: Float32Array
}

/** Stores vectors, replacing those with the same keys, and marks the chunks that changed. */
export async function addVectors(tx: Transaction, setId: string, vectors: KeyedVector[]): Promise<void> {
  const [first] = vectors
  if (!first) return
  const keys = keysInSet(
    setId,
    vectors.map(({ key }) => key),
  )
  const replaced = await deleteVectors(tx, keys)
  const places = await freePlaces(tx, setId, vectors.length)
  // Two parameters for all rows: SQLite splits them faster than hundreds of parameters are bound.
  const bytes = BigInt(first.vector.length * bytesPerFloat)
  const rows = keys.map((key, n) => [key, places[n]])
  await tx.execute(sql`insert into fragment_vectors (key, place, vector)
    select value ->> 0, value ->> 1, substr(${concatenate(vectors)}, 1 + key * ${bytes}, ${bytes})
    from json_each(${JSON.stringify(rows)})`)
  await markChunks(tx, setId, [...replaced, ...places.map(chunkOf)])
}

/** Removes vectors of one set. Ignores keys without a vector. */
export async function removeVectors(tx: Transaction, setId: string, keys: number[]): Promise<void> {
  const chunks = await deleteVectors(tx, keysInSet(setId, keys))
  if (chunks.length > 0) await markChunks(tx, setId, chunks)
}

/** Returns the chunks that had the vectors. */
async function deleteVectors(tx: Transaction, keys: number[]): Promise<number[]> {
  const rows = await tx.execute<{ place: number }>(
    sql`delete from fragment_vectors where key in (${listOf(keys)}) returning place`,
  )
  return rows.map(({ place }) => chunkOf(place))
}

/** Free places of the set's chunks, and of new ones where those are full. */
async function freePlaces(tx: Transaction, setId: string, count: number): Promise<number[]> {
  const places: number[] = []
  const withRoom = await tx.execute<{ chunk_id: number }>(sql`select chunk_id from vector_chunks
    where set_id = ${setId} and vectors < ${BigInt(blockSize)} order by vectors limit ${BigInt(count)}`)
  for (const { chunk_id: chunk } of withRoom) {
    if (places.length >= count) break
    const first = chunk * blockSize
    const used = await tx.execute<{ place: number }>(sql`select place from fragment_vectors
      where place between ${BigInt(first)} and ${BigInt(first + blockSize - 1)}`)
    places.push(...placesOf(chunk, new Set(used.map(({ place }) => place))))
  }
  while (places.length < count) {
    const [created] = await tx.execute<{ chunk_id: number }>(
      sql`insert into vector_chunks (set_id, revision) values (${setId}, 0) returning chunk_id`,
    )
    if (!created) throw new Error('A chunk of vectors was not stored.')
    places.push(...placesOf(created.chunk_id, new Set()))
  }
  return places.slice(0, count)
}

function placesOf(chunk: number, used: ReadonlySet<number>): number[] {
  const all = Array.from({ length: blockSize }, (_, slot) => chunk * blockSize + slot)
  return all.filter((place) => !used.has(place))
}

function chunkOf(place: number): number {
  return Math.floor(place / blockSize)
}

/**
 * Counts the vectors of these chunks, and gives the set and the chunks a new revision, by which cached copies detect
 * changes. Revisions are never reused. Chunks without vectors are deleted; a set without vectors has neither
 * a revision nor a projection.
 */
async function markChunks(tx: Transaction, setId: string, changed: number[]): Promise<void> {
  const chunks = [...new Set(changed)]
  const size = BigInt(blockSize)
  await tx.execute(sql`insert or replace into vector_revisions (set_id, searched_at)
    values (${setId}, (select searched_at from vector_revisions where set_id = ${setId}))`)
  await tx.execute(sql`update vector_chunks set
      revision = (select revision from vector_revisions where set_id = ${setId}),
      vectors = (select count(*) from fragment_vectors where place between chunk_id * ${size} and chunk_id * ${size} + ${size} - 1)
    where chunk_id in (${listOf(chunks)})`)
  const deleted = await tx.execute<{ chunk_id: number }>(
    sql`delete from vector_chunks where chunk_id in (${listOf(chunks)}) and vectors = 0 returning chunk_id`,
  )
  if (deleted.length === 0) return
  const isEmpty = sql`not exists (select 1 from vector_chunks where set_id = ${setId})`
  await tx.execute(sql`delete from vector_revisions where set_id = ${setId} and ${isEmpty}`)
  await tx.execute(sql`delete from vector_projections where set_id = ${setId} and ${isEmpty}`)
}

function listOf(numbers: number[]): SQL {
  return sql`select value from json_each(${JSON.stringify(numbers)})`
}

function concatenate(vectors: KeyedVector[]): Buffer {
  return Buffer.concat(vectors.map(({ vector }) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)))
}
