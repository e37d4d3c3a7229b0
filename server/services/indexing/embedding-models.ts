import { setTimeout as wait } from 'node:timers/promises'
import type { Embedder } from '../../engine/ports/search-index'
import type { TokenCounter } from '../../engine/search/query/token-counter'

export type EmbeddingState =
  | { kind: 'starting' }
  | { kind: 'ready'; model: string }
  | { kind: 'unavailable'; reason: string }

export interface LoadedModel {
  embedder: Embedder
  tokenizer: TokenCounter
}

/** A model, or a sentence that says why it is unavailable. Null only while the process stops. */
export type LoadOutcome = LoadedModel | { unavailable: string; isTemporary?: boolean } | null

interface Deps {
  load(name: string): Promise<LoadOutcome>
  /** Called for each model that becomes usable, before it is used. */
  onReady(name: string, model: LoadedModel): Promise<void>
  /** When a model that is temporarily unavailable is loaded again. */
  retryMs: number
  stopping: AbortSignal
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

interface Entry {
  state: EmbeddingState
  model: LoadedModel | null
  loading: Promise<LoadedModel | null> | null
  /** The process stopped while it was loaded. */
  isStopped: boolean
  /** So that a reason that lasts is logged once. */
  loggedReason: string | null
}

/** Of vectors that an index stores. */
const minDimensions = 64
const maxDimensions = 4_096

/** The embedding models of the installation. Loads each once, when it is first needed. */
export function createEmbeddingModels({ load, onReady, retryMs, stopping, log }: Deps) {
  const entries = new Map<string, Entry>()
  let isStarted = false
  let isClosed = false

  function entryOf(name: string): Entry {
    const known = entries.get(name)
    if (known) return known
    const created: Entry = {
      state: { kind: 'starting' },
      model: null,
      loading: null,
      isStopped: false,
      loggedReason: null,
    }
    entries.set(name, created)
    return created
  }

  /** Resolves to the model; to null if it is unavailable, and before `start`. Never rejects. */
  async function open(name: string): Promise<LoadedModel | null> {
    const entry = entryOf(name)
    if (entry.model || !isStarted || entry.isStopped || entry.state.kind === 'unavailable') return entry.model
    entry.loading ??= tryToLoad(name).finally(() => {
      entry.loading = null
    })
    return entry.loading
  }

  /** The model if it is loaded. Otherwise begins to load it. */
  function find(name: string): LoadedModel | null {
    const { model } = entryOf(name)
    if (!model) void open(name)
    return model
  }

  /** Loads a model again that was unavailable. */
  async function retry(name: string): Promise<LoadedModel | null> {
    const entry = entryOf(name)
    if (entry.state.kind === 'unavailable') entry.state = { kind: 'starting' }
    return open(name)
  }

  async function tryToLoad(name: string): Promise<LoadedModel | null> {
    try {
      const loaded = await load(name)
      if (!loaded) {
        entryOf(name).isStopped = true
        return null
      }
      if ('unavailable' in loaded) {
        refuse(name, loaded.unavailable)
        if (loaded.isTemporary) void retryLater(name)
        return null
      }
      return await ready(name, loaded)
    } catch (error) {
      log.error({ err: error, model: name }, 'The embedding model could not be loaded.')
      refuse(name, 'The embedding model could not be loaded.')
      return null
    }
  }

  /** Nothing waits for it. */
  async function retryLater(name: string): Promise<void> {
    const isOver = await wait(retryMs, false, { signal: stopping, ref: false }).catch(() => true)
    if (!isOver && entries.has(name)) await retry(name)
  }

  /** Begins to use a model. Closes one that cannot be used. */
  async function ready(name: string, model: LoadedModel): Promise<LoadedModel | null> {
    const { dimensions } = model.embedder
    if (isClosed) {
      await model.embedder.close()
      return null
    }
    if (dimensions < minDimensions || dimensions > maxDimensions) {
      await model.embedder.close()
      const range = `${minDimensions} to ${maxDimensions.toLocaleString('en')}`
      refuse(
        name,
        `The vectors of the model ${model.embedder.model} have ${dimensions} dimensions; the index stores ${range}.`,
      )
      return null
    }
    try {
      await onReady(name, model)
    } catch (error) {
      await model.embedder.close()
      throw error
    }
    const entry = entryOf(name)
    entry.model = model
    entry.state = { kind: 'ready', model: model.embedder.model }
    return model
  }

  function refuse(name: string, reason: string): void {
    const entry = entryOf(name)
    entry.model = null
    entry.state = { kind: 'unavailable', reason }
    if (entry.loggedReason === reason) return
    entry.loggedReason = reason
    log.warn({ model: name, reason }, 'Semantic search is unavailable. Keyword search works.')
  }

  /** Closes the models that have none of these names. */
  async function keepOnly(names: ReadonlySet<string>): Promise<void> {
    for (const [name, { model, loading }] of [...entries]) {
      if (names.has(name) || loading) continue
      entries.delete(name)
      await model?.embedder.close()
    }
  }

  /** Closes all models, also those that are being loaded. */
  async function close(): Promise<void> {
    isClosed = true
    await Promise.all([...entries.values()].map(({ loading }) => loading))
    await keepOnly(new Set())
  }

  return {
    /** Models are loaded from now on. */
    start() {
      isStarted = true
    },
    open,
    retry,
    find,
    ready,
    keepOnly,
    state: (name: string): EmbeddingState => entries.get(name)?.state ?? { kind: 'starting' },
    close,
  }
}
