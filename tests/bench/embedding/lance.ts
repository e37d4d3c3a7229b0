import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of LanceDB that is used. Install it with `npm install --prefix tests/bench/peers`. */
interface Query {
  distanceType(type: 'cosine'): Query
  limit(count: number): Query
  ef(count: number): Query
  nprobes(count: number): Query
  refineFactor(times: number): Query
  select(columns: string[]): Query
  toArray(): Promise<{ key: number | bigint }[]>
}
interface Table {
  add(rows: unknown): Promise<unknown>
  createIndex(column: string, options: { config: unknown; replace: boolean }): Promise<void>
  vectorSearch(vector: Float32Array): Query
}
interface Lance {
  connect(folder: string): Promise<{ createTable(name: string, rows: unknown): Promise<Table>; close(): void }>
  Index: { hnswSq(options: object): unknown; ivfPq(options: object): unknown }
}
interface Arrow {
  Field: new (name: string, type: unknown, nullable?: boolean) => unknown
  FixedSizeList: new (size: number, field: unknown) => unknown
  Float32: new () => unknown
  Float64: new () => unknown
  makeData(of: object): unknown
  Vector: new (data: unknown[]) => unknown
  Table: new (columns: Record<string, unknown>) => unknown
}

export interface LanceTable {
  add(keys: Float64Array, vectors: Float32Array): Promise<void>
  index(kind: 'HNSW_SQ' | 'IVF_PQ'): Promise<void>
  search(query: Float32Array, k: number, how: LanceSearch): Promise<number[]>
  close(): void
}

/** Omitted options have LanceDB's defaults. */
export interface LanceSearch {
  ef?: number
  nprobes?: number
  refine?: number
}

const folder = join(import.meta.dirname, '../peers', 'node_modules')

/** Null if it is not installed. */
export async function openLance(dimensions: number): Promise<LanceTable | null> {
  if (!existsSync(join(folder, '@lancedb/lancedb'))) return null
  const load = async <Module>(path: string) => (await import(pathToFileURL(join(folder, path)).href)) as Module
  const { connect, Index } = await load<Lance>('@lancedb/lancedb/dist/index.js')
  const arrow = await load<Arrow>('apache-arrow/Arrow.node.js')
  const path = mkdtempSync(join(tmpdir(), 'bench-lance-'))
  const connection = await connect(path)
  let table: Table | null = null

  return {
    async add(keys, vectors) {
      const rows = tableOf(keys, vectors)
      if (table) await table.add(rows)
      else table = await connection.createTable('vectors', rows)
    },
    async index(kind) {
      const options = { distanceType: 'cosine' }
      const config = kind === 'HNSW_SQ' ? Index.hnswSq(options) : Index.ivfPq(options)
      await table?.createIndex('vector', { config, replace: true })
    },
    async search(query, k, { ef, nprobes, refine }) {
      let asked = table?.vectorSearch(query).distanceType('cosine').limit(k).select(['key', '_distance'])
      if (ef) asked = asked?.ef(ef)
      if (nprobes) asked = asked?.nprobes(nprobes)
      if (refine) asked = asked?.refineFactor(refine)
      return ((await asked?.toArray()) ?? []).map(({ key }) => Number(key))
    },
    close() {
      connection.close()
      rmSync(path, { recursive: true })
    },
  }

  function tableOf(keys: Float64Array, vectors: Float32Array): unknown {
    const { makeData, Field, FixedSizeList, Float32, Float64, Vector, Table } = arrow
    const type = new FixedSizeList(dimensions, new Field('item', new Float32(), true))
    const child = makeData({ type: new Float32(), length: vectors.length, nullCount: 0, data: vectors })
    return new Table({
      key: new Vector([makeData({ type: new Float64(), length: keys.length, nullCount: 0, data: keys })]),
      vector: new Vector([makeData({ type, length: keys.length, nullCount: 0, child })]),
    })
  }
}
