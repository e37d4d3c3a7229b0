import { openEmbeddingSession } from '../../server/adapters/transformers-session'

/**
 * A process of its own that loads the runtime and the model and embeds one word. A runtime that does not fit this
 * processor may end the process without a word, so this never happens in the server itself.
 */
const [modelFolder = ''] = process.argv.slice(2)

try {
  const session = await openEmbeddingSession({ modelFolder, longestPassage: 16 })
  const [first = Number.NaN] = await session.embed('word')
  await session.close()
  if (!Number.isFinite(first)) throw new Error('the model gave no numbers')
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
