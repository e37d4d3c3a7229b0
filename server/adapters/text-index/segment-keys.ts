import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { chunkBytes, placeOf } from './segment-chunks'
import { headerBytes, keyBytes } from './segments/layout'

/** Returns a function that reads the key of a fragment of a stored segment. Reads each chunk once. */
export function createKeyReader(tx: Transaction, segmentId: number): (fragment: number) => Promise<number> {
  const chunks = new Map<number, DataView>()
  return async (fragment) => {
    const offset = headerBytes + keyBytes * fragment
    const number = Math.floor(offset / chunkBytes)
    const chunk = chunks.get(number) ?? (await readChunk(number))
    return chunk.getFloat64(offset % chunkBytes, true)
  }

  async function readChunk(number: number): Promise<DataView> {
    const [row] = await tx.execute<{ bytes: Uint8Array }>(
      sql`select bytes from text_segment_chunks where place = ${BigInt(placeOf(segmentId, number))}`,
    )
    if (!row) throw new Error('A segment of the text index has no chunk with its keys.')
    const chunk = new DataView(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength)
    chunks.set(number, chunk)
    return chunk
  }
}

/** The numbers that fragments have in a stored segment, by key. Omits keys that it does not have. */
export async function findKeys(
  tx: Transaction,
  segment: { id: number; fragments: number; first_key: number; last_key: number },
  keys: number[],
): Promise<Map<number, number>> {
  const keyAt = createKeyReader(tx, segment.id)
  const found = new Map<number, number>()
  for (const key of keys) {
    if (key < segment.first_key || key > segment.last_key) continue
    let low = 0
    let high = segment.fragments - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((await keyAt(middle)) < key) low = middle + 1
      else high = middle
    }
    if ((await keyAt(low)) === key) found.set(key, low)
  }
  return found
}
