import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'

/** Run by `embed.ts` as a bundle: measures the memory that sessions add to a process with passages of all lengths. */
const [modelFolder = '', threads = ''] = process.argv.slice(2)
const resident = () => Math.round(process.memoryUsage().rss / 2 ** 20)
const atStart = resident()
const embedder = await createTransformersEmbedder({ modelFolder, threads: Number(threads) })
const grown: number[] = []
for (let round = 0; round < 4; round++) {
  const texts = Array.from({ length: 100 }, (_, n) => `${n} ${'several words of a passage '.repeat(n % 60)}`)
  await embedder.embedPassages(texts)
  grown.push(resident() - atStart)
}
await embedder.close()
console.log(`memory of ${threads} sessions for passages and one for queries, after each 100: ${grown.join(', ')} MiB`)
