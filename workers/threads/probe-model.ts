/**
 * A process of its own that loads the runtime and a model, and lets it read one word. A runtime that does not fit this
 * processor may end the process without a word, so this never happens in the server itself. Why it cannot is its only
 * output.
 */
const [modelFolder = ''] = process.argv.slice(2)

try {
  const { modelKindOf } = await import('../../server/adapters/embedding/model-kind')
  const number = modelKindOf(modelFolder) === 'reranker' ? await rerank() : await embed()
  if (!Number.isFinite(number)) throw new Error('the model gave no numbers')
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function embed(): Promise<number> {
  const { readModelSettings } = await import('../../server/adapters/embedding/model-settings')
  // Its libraries are what may be missing.
  const { openEmbeddingSession } = await import('../../server/adapters/embedding/transformers-session')
  const session = await openEmbeddingSession({ modelFolder, ...readModelSettings(modelFolder) })
  const [first = Number.NaN] = await session.embed('word')
  await session.close()
  return first
}

async function rerank(): Promise<number> {
  const { readRerankerSettings } = await import('../../server/adapters/reranking/reranker-settings')
  const { openRerankingSession } = await import('../../server/adapters/reranking/reranking-session')
  const session = await openRerankingSession({ modelFolder, ...readRerankerSettings(modelFolder), threads: 1 })
  const score = await session.score('word', 'word')
  await session.close()
  return score
}
