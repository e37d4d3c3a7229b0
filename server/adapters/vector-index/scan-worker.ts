import type SQLite from 'better-sqlite3'
import type { CopyRegistry, RegisteredCopy } from './copies/copy-registry'
import { createChunkReader } from './copies/read-chunks'
import { type SyncStatus, sync } from './copies/sync'
import { leadingWidthOf, sampledVectors } from './projection/leading-width'
import { createProjectionReader } from './projection/projection-store'
import { createExactScan } from './scan/exact-scan'
import { createKeyFilter } from './scan/key-filter'
import { scan } from './scan/scan'
import type { CopyState, NearestQuery, VectorKind, VectorRequest, VectorResponse } from './scan-requests'

/** Changed chunks that a search waits for. If more have changed, it reads the table instead. */
const maxChunksPerSearch = 32
/** Chunks that are copied between two searches: of vectors of 384 numbers, and fewer of wider or projected ones. */
const chunksPerFill = 24
const minChunks = 2
const usualWidth = 384
/** Products of a vector with its projection that take about as long as copying it. */
const usualProducts = 37_000
/** Blocks that a thread takes at a time in a parallel scan. */
const blocksPerTurn = 16
const maxAttempts = 3
const noCopy = { bytes: 0, blocks: 0 }

/** Handles vector requests in a search thread. */
export function createScanWorker(connection: SQLite.Database, copies: CopyRegistry) {
  const chunks = createChunkReader(connection)
  const exact = createExactScan(connection)
  const projectionOf = createProjectionReader(connection)

  const handlers: { [Kind in VectorKind]: (request: VectorRequest<Kind>) => Promise<VectorResponse<Kind>> } = {
    async nearest({ query, copy }) {
      const { setId, vector, k, among } = query
      const searchTable = () => exact.nearest(setId, vector, k, among)
      if (copy === null) {
        return { hits: searchTable(), size: chunks.sizeOf(setId), status: 'unused', ...noCopy }
      }
      const first = await copies.find(copy)
      const status = first ? syncedStatus(first) : 'unknown'
      const hits = first && status === 'current' ? searchCopy(first, query) : null
      return { hits: hits ?? searchTable(), ...stateOf(first, status) }
    },

    async part({ query, copy, nextBlock }) {
      const first = await copies.find(copy)
      const status = first ? syncedStatus(first) : 'unknown'
      if (!first || status !== 'current') return { ...stateOf(first, status), hits: null, scanned: 0, total: 0 }
      const total = first.copy.blocks()
      const counter = new Int32Array(nextBlock)
      let scanned = 0
      const { keys } = scan(first.copy, { ...scanQuery(first, query), ranges: takeRanges() })
      const hits = exact.cosines(query.setId, query.vector, keys).slice(0, query.k)
      // Candidates were deleted during the scan.
      const isIncomplete = hits.length < Math.min(query.k, keys.length)
      return { ...stateOf(first, status), hits: isIncomplete ? null : hits, scanned, total }

      function* takeRanges() {
        const take = () => Atomics.add(counter, 0, blocksPerTurn)
        for (let from = take(); from < total; from = take()) {
          const to = Math.min(total, from + blocksPerTurn)
          scanned += to - from
          yield { from, to }
        }
      }
    },

    cosines: async ({ setId, vector, keys }) => exact.cosines(setId, vector, keys),

    size: async ({ setId }) => chunks.sizeOf(setId),

    async create({ copy: id, ...options }) {
      const { setId, dimensions } = options
      const matrix = projectionOf(setId, dimensions)
      const leadingWidth = matrix ? null : leadingWidthOf(chunks.sample(setId, sampledVectors), dimensions)
      const created = copies.create({ id, ...options, matrix, leadingWidth })
      return { ...stateOf(created, 'behind'), lacksCoarseRows: !created.hasCoarseRows }
    },

    async fill({ copy }) {
      const first = await copies.find(copy)
      if (!first) return stateOf(null, 'unknown')
      return stateOf(
        first,
        sync(first.copy, chunks, first.setId, {
          maxChunks: scaledToCost(chunksPerFill, first),
          allowPartial: true,
        }),
      )
    },
  }

  return <Kind extends VectorKind>(request: VectorRequest<Kind>): Promise<VectorResponse<Kind>> =>
    handlers[request.kind as Kind](request)

  function syncedStatus(registeredCopy: RegisteredCopy): SyncStatus {
    const { copy, setId } = registeredCopy
    return sync(copy, chunks, setId, {
      maxChunks: scaledToCost(maxChunksPerSearch, registeredCopy),
      allowPartial: false,
    })
  }

  /** Null if candidates were deleted during each of three attempts. */
  function searchCopy(registeredCopy: RegisteredCopy, query: NearestQuery) {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const { keys } = scan(registeredCopy.copy, scanQuery(registeredCopy, query))
      const hits = exact.cosines(query.setId, query.vector, keys).slice(0, query.k)
      if (hits.length >= Math.min(query.k, keys.length)) return hits
      if (syncedStatus(registeredCopy) !== 'current') return null
    }
    return null
  }
}

function scanQuery({ copy, hasCoarseRows }: RegisteredCopy, { vector, k, among, minCoarseBlocks }: NearestQuery) {
  const coarse = hasCoarseRows && copy.blocks() >= minCoarseBlocks
  const ranges = [{ from: 0, to: copy.blocks() }]
  return { vector, k, coarse, isAllowed: among && createKeyFilter(among), ranges }
}

/** As many chunks of this copy as take the time of `count` chunks of usual vectors. */
function scaledToCost(count: number, { copy: { layout } }: RegisteredCopy): number {
  const { dimensions, projectedWidth } = layout
  const cost = Math.max(dimensions / usualWidth, (dimensions * projectedWidth) / usualProducts, 1)
  return Math.max(minChunks, Math.floor(count / cost))
}

function stateOf(first: RegisteredCopy | null, status: CopyState['status']): CopyState {
  return { status, ...(first ? { bytes: first.bytes(), blocks: first.copy.blocks() } : noCopy) }
}
