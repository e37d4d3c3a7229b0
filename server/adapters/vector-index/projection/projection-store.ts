import { createHash } from 'node:crypto'
import type SQLite from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'

/** Stores the projection of a set, replacing an earlier one. `matrix` has its directions one after another. */
export async function storeProjection(
  tx: Transaction,
  setId: string,
  dimensions: number,
  matrix: Float32Array,
): Promise<void> {
  const bytes = Buffer.from(matrix.buffer, matrix.byteOffset, matrix.byteLength)
  await tx.execute(sql`insert or replace into vector_projections (set_id, dimensions, checksum, matrix)
    select ${setId}, ${BigInt(dimensions)}, ${checksumOf(bytes)}, ${bytes}
    where exists (select 1 from vector_revisions where set_id = ${setId})`)
}

/** Returns a function that reads projections. Null for a set without one for vectors of this width, or if it is damaged. */
export function createProjectionReader(connection: SQLite.Database) {
  const read = connection.prepare<[string, number], [string, Buffer]>(projectionQuery).raw()
  return (setId: string, dimensions: number): Float32Array | null => {
    const [checksum, bytes] = read.get(setId, dimensions) ?? []
    if (!bytes || checksumOf(bytes) !== checksum) return null
    return new Float32Array(Uint8Array.from(bytes).buffer)
  }
}

const projectionQuery = 'select checksum, matrix from vector_projections where set_id = ? and dimensions = ?'

function checksumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
