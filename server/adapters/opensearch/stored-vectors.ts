import { sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import type { KeyScore } from '../../engine/ports/search-index'

export interface KeyedVector {
  /** That of the fragment; negative in the second set of its collection. */
  key: number
  vector: Float32Array
}

/** Stores vectors, 32 bits a component, replacing those with the same keys. */
export async function storeVectors(tx: Transaction, vectors: KeyedVector[]): Promise<void> {
  if (vectors.length === 0) return
  const rows = vectors.map(({ key, vector }) => {
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
    return sql`(${key}::bigint, ${bytes}::bytea)`
  })
  await tx.execute(sql`insert into fragment_vectors (key, vector) values ${sql.join(rows, sql`, `)}
    on conflict (key) do update set vector = excluded.vector`)
}

export async function deleteVectors(tx: Transaction, keys: number[]): Promise<void> {
  await tx.execute(sql`delete from fragment_vectors where key in (${keysOf(keys)})`)
}

/** Omits keys without a vector. */
export async function readVectors(queries: Queries, keys: number[]): Promise<KeyedVector[]> {
  if (keys.length === 0) return []
  const rows = await queries.execute<{ key: number; vector: Uint8Array }>(
    sql`select key, vector from fragment_vectors where key in (${keysOf(keys)})`,
  )
  // Copied, because the driver returns a view of a larger buffer, whose offset may not be aligned.
  return rows.map(({ key, vector }) => ({ key, vector: new Float32Array(Uint8Array.from(vector).buffer) }))
}

/** Exact cosines, because all vectors have the length 1. Omits those of another width. */
export async function exactCosines(queries: Queries, query: Float32Array, keys: number[]): Promise<KeyScore[]> {
  const stored = (await readVectors(queries, keys)).filter(({ vector }) => vector.length === query.length)
  return stored.map(({ key, vector }) => ({ key: Math.abs(key), score: dot(query, vector) }))
}

function dot(first: Float32Array, second: Float32Array): number {
  let sum = 0
  for (let n = 0; n < first.length; n++) sum += (first[n] as number) * (second[n] as number)
  return sum
}

function keysOf(keys: number[]) {
  return sql`select value::bigint from json_array_elements_text(${JSON.stringify(keys)}::json)`
}
