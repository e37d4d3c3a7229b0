import type { ModelKind } from '../../contract/views/model'
import { modelKindOf } from '../adapters/embedding/model-kind'
import { probeModel } from '../adapters/models/model-probe'
import { createCrossEncoder } from '../adapters/reranking/cross-encoder'
import type { Config } from '../config/config'
import { ConfigError } from '../config/config-error'
import { rerankerBudgetMs } from '../engine/search/apply-reranker'
import type { RerankerOutcome } from '../services/search/reranking'

interface LoadOptions {
  log: { warn(details: object, message: string): void }
  signal: AbortSignal
  /** What a search may wait. */
  budgetMs?: number
}

/** Throws ConfigError if EMBEDDING_MODEL names a reranker, or RERANKER_MODEL an embedding model. */
export function assertModelKinds({ embedding, reranker }: Pick<Config, 'embedding' | 'reranker'>): void {
  if (kindOf(embedding.modelFolder) === 'reranker')
    throw new ConfigError(
      `EMBEDDING_MODEL: ${embedding.name} is a reranker. Set RERANKER_MODEL to it, and EMBEDDING_MODEL to another model.`,
    )
  if (reranker && kindOf(reranker.modelFolder) === 'embedding')
    throw new ConfigError(
      `RERANKER_MODEL: ${reranker.name} is an embedding model. Set a reranker, such as cross-encoder/ms-marco-MiniLM-L6-v2.`,
    )
}

/** Null for damaged files, with which the product starts; the test of the model reports them. */
function kindOf(folder: string): ModelKind | null {
  try {
    return modelKindOf(folder)
  } catch {
    return null
  }
}

/** Loads the reranker, unless this machine is too slow for it. */
export async function loadReranker(
  { name, modelFolder }: NonNullable<Config['reranker']>,
  { log, signal, budgetMs = rerankerBudgetMs }: LoadOptions,
): Promise<RerankerOutcome> {
  const probe = await probeModel(modelFolder, { kind: 'reranker', signal })
  if (!probe.ok) return probe.isStopped ? null : { unavailable: probe.reason }
  const reranker = await createCrossEncoder({ model: name, modelFolder, log })
  if (2 * reranker.msPerText <= budgetMs) return reranker
  await reranker.close()
  const ms = Math.round(reranker.msPerText)
  return {
    unavailable: `${name} takes ${ms} ms to read a fragment on this machine, and a search waits at most ${budgetMs} ms. Choose a smaller model.`,
  }
}

/** Loads the reranker, and closes it. Returns what is wrong, in a sentence; null if nothing is. */
export async function testReranker(reranker: NonNullable<Config['reranker']>): Promise<string | null> {
  const { signal } = new AbortController()
  const loaded = await loadReranker(reranker, { log: { warn: () => {} }, signal })
  if (!loaded) return null
  if ('unavailable' in loaded) return loaded.unavailable
  await loaded.close()
  return null
}
