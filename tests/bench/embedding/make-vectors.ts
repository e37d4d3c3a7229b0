/**
 * Embeds fragments of Debian's manuals for `tests/bench/embedding/vectors.ts`. Continues an earlier run. Usage: npx tsx tests/bench/embedding/make-vectors.ts FOLDER [fragments, default 101000] [threads, default 2]
 */
import { appendFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { embeddingText, headingSeparator } from '../../../server/engine/chunking/embedding-text'
import { manualFragments, manualPages, modelFolder, noManuals } from '../manuals'
import { vectorFile } from './vector-file'

const batchSize = 64
const [folder, count = '101000', threads = '2'] = process.argv.slice(2)

async function main(file: string, total: number): Promise<void> {
  const embedder = await createTransformersEmbedder({ modelFolder, threads: Number(threads) })
  const bytes = embedder.dimensions * 4
  // An incomplete vector is embedded again.
  const done = existsSync(file) ? Math.floor(statSync(file).size / bytes) : 0
  if (done > 0) truncateSync(file, done * bytes)
  const started = performance.now()
  let waiting: string[] = []
  let created = 0

  async function embedWaiting(): Promise<void> {
    const vectors = await embedder.embedPassages(waiting)
    waiting = []
    appendFileSync(file, Buffer.concat(vectors.map(({ buffer }) => new Uint8Array(buffer))))
    created += vectors.length
    const rate = (created * 1_000) / (performance.now() - started)
    if (process.stderr.isTTY) process.stderr.write(`\r${done + created} of ${total}, ${rate.toFixed(1)} a second `)
  }

  let passed = 0
  for (const fragment of manualFragments(total)) {
    if (++passed <= done) continue
    waiting.push(embeddingText({ ...fragment, headings: fragment.headings.join(headingSeparator) }))
    if (waiting.length >= batchSize) await embedWaiting()
  }
  if (waiting.length > 0) await embedWaiting()
  await embedder.close()
  console.log(`\n${done + created} vectors of ${embedder.model} in ${file}`)
}

if (!folder) console.log('Pass a folder for the vectors.')
else if (manualPages().length === 0) console.log(noManuals)
else {
  mkdirSync(folder, { recursive: true })
  await main(vectorFile(folder), Number(count))
}
