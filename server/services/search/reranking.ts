import type { Reranker } from '../../engine/ports/reranker'

export type RerankerState = { kind: 'starting' } | { kind: 'ready' } | { kind: 'unavailable'; reason: string }

/** The reranker, or a sentence that says why it is unavailable. Null only while the process stops. */
export type RerankerOutcome = Reranker | { unavailable: string } | null

interface Deps {
  /** The value of RERANKER_MODEL; null without one. */
  model: string | null
  load(): Promise<RerankerOutcome>
  log: { warn(details: object, message: string): void }
}

/** The reranker of the installation. It is loaded in the background; until then, and without it, searches do without. */
export function createReranking({ model, load, log }: Deps) {
  let state: RerankerState = { kind: 'starting' }
  let reranker: Reranker | null = null
  let starting: Promise<void> | null = null

  /** Loads it once. Never rejects. */
  function start(): Promise<void> {
    starting ??= model === null ? Promise.resolve() : open(model)
    return starting
  }

  async function open(name: string): Promise<void> {
    const loaded = await load().catch((error: unknown) => {
      log.warn({ err: error, model: name }, 'The reranker could not be loaded.')
      return { unavailable: 'The reranker could not be loaded.' }
    })
    if (loaded === null) return
    if ('unavailable' in loaded) {
      state = { kind: 'unavailable', reason: loaded.unavailable }
      log.warn({ model: name, reason: loaded.unavailable }, 'Searches are not reranked.')
      return
    }
    reranker = loaded
    state = { kind: 'ready' }
  }

  return {
    start,
    /** Null until it is loaded, and if it is unavailable. */
    current: () => reranker,
    /** Null without a reranker. */
    state: () => (model === null ? null : { model, state }),
    async close(): Promise<void> {
      await starting
      await reranker?.close()
    },
  }
}

export type Reranking = ReturnType<typeof createReranking>
