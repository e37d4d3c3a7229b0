import type SQLite from 'better-sqlite3'
import type { HeldCopies, HeldCopy } from './copies/held-copies'
import { createChunkReader } from './copies/read-chunks'
import { follow, type Standing } from './copies/sync'
import { createExactSearch } from './scan/exact-scan'
import { createKeyFilter } from './scan/key-filter'
import { scan } from './scan/scan'
import type { CopyState, NearestOrder, VectorAnswer, VectorKind, VectorRequest } from './scan-requests'

/** Chunks that a search waits for; where more have changed the table is searched meanwhile. */
const chunksInPassing = 32
/** Chunks that are written at once, so that searches get their turn in between. */
const chunksAtOnce = 24
/** Blocks that a thread takes at a time of a scan that several make. */
const blocksAtOnce = 16
const attempts = 3
const withoutCopy = { bytes: 0, blocks: 0 }

/** Answers what is asked about vectors, in a thread with a connection of its own. */
export function createVectorAnswers(connection: SQLite.Database, held: HeldCopies) {
  const chunks = createChunkReader(connection)
  const exact = createExactSearch(connection)

  const answers: { [Kind in VectorKind]: (request: VectorRequest<Kind>) => Promise<VectorAnswer<Kind>> } = {
    async nearest({ order, copy }) {
      const { collectionId, vector, k, among } = order
      const byTable = () => exact.nearest(collectionId, vector, k, among)
      if (copy === null) {
        return { hits: byTable(), size: chunks.sizeOf(collectionId), standing: 'unused', ...withoutCopy }
      }
      const one = await held.find(copy)
      const standing = one ? standingOf(one) : 'unknown'
      const hits = one && standing === 'current' ? nearestByCopy(one, order) : null
      return { hits: hits ?? byTable(), ...stateOf(one, standing) }
    },

    async part({ order, copy, turns }) {
      const one = await held.find(copy)
      const standing = one ? standingOf(one) : 'unknown'
      if (!one || standing !== 'current') return { ...stateOf(one, standing), candidates: null, done: 0, of: 0 }
      const of = one.copy.blocks()
      const turn = new Int32Array(turns)
      let done = 0
      const candidates = scan(one.copy, { ...scanOrder(one, order), ranges: inTurns() })
      return { ...stateOf(one, standing), candidates, done, of }

      function* inTurns() {
        const take = () => Atomics.add(turn, 0, blocksAtOnce)
        for (let from = take(); from < of; from = take()) {
          const to = Math.min(of, from + blocksAtOnce)
          done += to - from
          yield { from, to }
        }
      }
    },

    cosines: async ({ collectionId, vector, keys }) => exact.cosines(collectionId, vector, keys),

    size: async ({ collectionId }) => chunks.sizeOf(collectionId),

    async make({ copy: id, ...options }) {
      return stateOf(held.make({ id, ...options }), 'behind')
    },

    async fill({ copy }) {
      const one = await held.find(copy)
      if (!one) return stateOf(null, 'unknown')
      return stateOf(one, follow(one.copy, chunks, one.collectionId, { most: chunksAtOnce, partly: true }))
    },
  }

  return <Kind extends VectorKind>(request: VectorRequest<Kind>): Promise<VectorAnswer<Kind>> =>
    answers[request.kind as Kind](request)

  function standingOf({ copy, collectionId }: HeldCopy): Standing {
    return follow(copy, chunks, collectionId, { most: chunksInPassing, partly: false })
  }

  /** Null when fragments went away again and again while it was at work. */
  function nearestByCopy(one: HeldCopy, order: NearestOrder) {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const { keys } = scan(one.copy, scanOrder(one, order))
      const hits = exact.cosines(order.collectionId, order.vector, keys).slice(0, order.k)
      if (hits.length >= Math.min(order.k, keys.length)) return hits
      if (standingOf(one) !== 'current') return null
    }
    return null
  }
}

function scanOrder({ copy }: HeldCopy, { vector, k, among, coarseFrom }: NearestOrder) {
  const coarse = coarseFrom !== null && copy.blocks() >= coarseFrom
  const ranges = [{ from: 0, to: copy.blocks() }]
  return { query: vector, k, coarse, isAllowed: among && createKeyFilter(among), ranges }
}

function stateOf(one: HeldCopy | null, standing: CopyState['standing']): CopyState {
  return { standing, ...(one ? { bytes: one.bytes(), blocks: one.copy.blocks() } : withoutCopy) }
}
