/**
 * Embeds fragments of Debian's manuals, read and cut as the product does it, for `tests/bench/vectors.ts`. Goes on where
 * it was stopped. Usage: npx tsx tests/bench/make-vectors.ts FOLDER [fragments, default 101000] [threads, default 2]
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTokenizer } from '../../server/adapters/model-tokenizer'
import { createTransformersEmbedder } from '../../server/adapters/transformers'
import { headingSeparator, passageOf } from '../../server/engine/passage'
import { readPage } from '../../server/engine/read-page'
import { vectorFile } from './vector-file'

const manuals = ['python3.11-doc', 'openjdk-17-doc', 'debian-handbook', 'debian-reference-common', 'debian-policy']
const atOnce = 64
const [folder, count = '101000', threads = '2'] = process.argv.slice(2)
const modelFolder = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')

/** Pages of all manuals in an order that mixes them, the same each time. */
function pages(): string[] {
  const found = manuals.flatMap((manual) => {
    const root = join('/usr/share/doc', manual)
    if (!existsSync(root)) return []
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.html?$/.test(name))
    return names.map((name) => join(root, name)).sort()
  })
  let seed = 1
  for (let n = found.length - 1; n > 0; n--) {
    seed = (seed * 16_807) % 2_147_483_647
    const other = seed % (n + 1)
    ;[found[n], found[other]] = [found[other] ?? '', found[n] ?? '']
  }
  return found
}

async function main(file: string, wanted: number): Promise<void> {
  const embedder = await createTransformersEmbedder({ modelFolder, threads: Number(threads) })
  const tokenizer = createTokenizer(modelFolder)
  const bytes = embedder.dimensions * 4
  // A vector that was not written to its end is made again.
  const done = existsSync(file) ? Math.floor(statSync(file).size / bytes) : 0
  if (done > 0) truncateSync(file, done * bytes)
  const seen = new Set<string>()
  const started = performance.now()
  let waiting: string[] = []
  let made = 0

  async function embedSome(least: number): Promise<void> {
    while (waiting.length >= least && waiting.length > 0) {
      const vectors = await embedder.embedPassages(waiting.slice(0, atOnce))
      waiting = waiting.slice(atOnce)
      appendFileSync(file, Buffer.concat(vectors.map(({ buffer }) => new Uint8Array(buffer))))
      made += vectors.length
      const rate = (made * 1_000) / (performance.now() - started)
      if (process.stderr.isTTY) process.stderr.write(`\r${done + made} of ${wanted}, ${rate.toFixed(1)} a second `)
    }
  }

  for (const page of pages()) {
    if (seen.size >= wanted) break
    const url = `http://manual.example${page}`
    const read = readPage({ url, body: readFileSync(page), contentType: 'text/html', followWithin: null }, tokenizer)
    for (const fragment of read.fragments) {
      if (seen.has(fragment.hash) || seen.size >= wanted) continue
      seen.add(fragment.hash)
      const headings = fragment.headings.join(headingSeparator)
      if (seen.size > done) waiting.push(passageOf({ ...fragment, headings }))
    }
    await embedSome(atOnce)
  }
  await embedSome(1)
  await embedder.close()
  console.log(`\n${done + made} vectors of ${embedder.model} in ${file}`)
}

if (!folder) console.log('Name a folder for the vectors.')
else if (pages().length === 0) console.log(`Skipped: none of ${manuals.join(', ')} is installed.`)
else {
  mkdirSync(folder, { recursive: true })
  await main(vectorFile(folder), Number(count))
}
