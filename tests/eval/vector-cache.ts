import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SQLite } from '../../db/sqlite-driver'
import type { Embedder } from '../../server/engine/ports/search-index'

const batch = 64
const probe = 'The lamp on the table.'
const leastCosine = 0.9999

/**
 * The embedder, with the vectors of earlier runs kept in a file of the folder: by the model and by the hash of the text,
 * so that only new fragments are embedded. Vectors of a model that gives others than it gave are thrown away.
 */
export async function keepVectors(embedder: Embedder, folder: string): Promise<Embedder> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${embedder.model.replaceAll(/[^\w.@-]/g, '_')}.db`)
  let kept = openFile(file)
  const now = await embedder.embedQuery(probe)
  const before = kept.find('probe', probe)
  if (before && cosine(before, now) < leastCosine) {
    kept.close()
    rmSync(file)
    kept = openFile(file)
  }
  kept.put('probe', probe, now)

  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embedPassages(texts) {
      const known = texts.map((text) => kept.find('passage', text))
      const wanted = texts.filter((_, n) => !known[n])
      const created = new Map<string, Float32Array>()
      for (let start = 0; start < wanted.length; start += batch) {
        const items = wanted.slice(start, start + batch)
        const vectors = await embedder.embedPassages(items)
        kept.all(() => {
          for (const [n, text] of items.entries()) {
            const vector = vectors[n] ?? new Float32Array()
            created.set(text, vector)
            kept.put('passage', text, vector)
          }
        })
        if (process.stderr.isTTY) process.stderr.write(`\r${created.size} of ${wanted.length} embedded `)
      }
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
      return texts.map((text, n) => known[n] ?? created.get(text) ?? new Float32Array())
    },
    async embedQuery(text) {
      const known = kept.find('query', text)
      if (known) return known
      const vector = await embedder.embedQuery(text)
      kept.put('query', text, vector)
      return vector
    },
    async close() {
      kept.close()
      await embedder.close()
    },
  }
}

type Kind = 'probe' | 'passage' | 'query'

function openFile(file: string) {
  const connection = new SQLite(file, { timeout: 60_000 })
  connection.pragma('journal_mode = wal')
  connection.exec('create table if not exists vectors (hash blob primary key, vector blob not null) without rowid')
  const select = connection.prepare<[Buffer], { vector: Buffer }>('select vector from vectors where hash = ?')
  const insert = connection.prepare('insert or replace into vectors (hash, vector) values (?, ?)')
  const hashOf = (kind: Kind, text: string) => createHash('sha256').update(`${kind}\0${text}`).digest()
  return {
    find(kind: Kind, text: string): Float32Array | null {
      const row = select.get(hashOf(kind, text))
      return row ? new Float32Array(new Uint8Array(row.vector).buffer) : null
    },
    put(kind: Kind, text: string, vector: Float32Array): void {
      insert.run(hashOf(kind, text), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))
    },
    all: (work: () => void) => connection.transaction(work)(),
    close: () => connection.close(),
  }
}

function cosine(first: Float32Array, second: Float32Array): number {
  return first.reduce((sum, value, n) => sum + value * (second[n] ?? 0), 0)
}
