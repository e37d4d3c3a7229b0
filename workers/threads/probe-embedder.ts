/**
 * A process of its own that loads the runtime and the model and embeds one word. A runtime that does not fit this
 * processor may end the process without a word, so this never happens in the server itself. Why it cannot is its only
 * output.
 */
const [modelFolder = ''] = process.argv.slice(2)

try {
  const { readModelSettings } = await import('../../server/adapters/embedding/model-settings')
  // Its libraries are what may be missing.
  const { openEmbeddingSession } = await import('../../server/adapters/embedding/transformers-session')
  const session = await openEmbeddingSession({ modelFolder, ...readModelSettings(modelFolder) })
  const [first = Number.NaN] = await session.embed('word')
  await session.close()
  if (!Number.isFinite(first)) throw new Error('the model gave no numbers')
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
