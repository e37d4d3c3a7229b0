/**
 * What the reranker does within its budget on this machine: texts that it reads, beside the bare runtime on the same tokens.
 *
 *   npx tsx tests/bench/embedding/reranker.ts [folder of a reranker]
 *
 * Without a folder, it is a model of the shape and size of ms-marco-MiniLM-L6-v2: the model that ships, with the mean of its
 * numbers as a score. Its time is that of a real one, its order is worth nothing.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AutoModelForSequenceClassification, AutoTokenizer, type Tensor } from '@huggingface/transformers'
import { localModel } from '../../../server/adapters/embedding/local-model'
import { createCrossEncoder, rerankingThreads } from '../../../server/adapters/reranking/cross-encoder'
import { readRerankerSettings } from '../../../server/adapters/reranking/reranker-settings'
import { maxCandidates, rerankerBudgetMs } from '../../../server/engine/search/apply-reranker'
import { averages } from '../../support/embedding/tiny-onnx'
import { timesOf } from '../percentiles'

const rounds = 30
const query = 'How do I replace the bulb of the lamp in the hall?'
const bundled = resolve('models/all-MiniLM-L6-v2')
const scoringFolder = process.argv[2] === undefined ? scoring(bundled) : null
const modelFolder = scoringFolder ?? resolve(process.argv[2] ?? '')

const words = readFileSync('docs/manual/10-search.md', 'utf8').split(/\s+/)
/** Texts of the manual with about this many tokens. */
const textsOf = (tokens: number) =>
  Array.from({ length: maxCandidates }, (_, n) => words.slice(n * 7, n * 7 + Math.round(tokens / 1.6)).join(' '))

const reranker = await createCrossEncoder({ model: 'bench', modelFolder })
const runtime = await openRuntime()
console.log(`${rerankingThreads} threads of the runtime; a text of usual length: ${reranker.msPerText.toFixed(1)} ms`)
for (const tokens of [32, 64, 128, 256]) {
  const texts = textsOf(tokens)
  const textOf = (round: number) => texts[round % maxCandidates] ?? ''
  const bare = median(await timesOf(rounds, (round) => runtime.score(textOf(round))))
  const ours = median(await timesOf(rounds, (round) => reranker.score(query, [textOf(round)], 60_000)))
  const read: number[] = []
  for (let round = 0; round < rounds; round++) read.push((await reranker.score(query, texts, rerankerBudgetMs)).length)
  console.log(
    `${runtime.tokensOf(textOf(0))} tokens with the query: ${ours.toFixed(1)} ms, ${(ours / bare).toFixed(2)} of the bare runtime; ${median(read)} of ${maxCandidates} read in ${rerankerBudgetMs} ms`,
  )
}
const texts = textsOf(128)
const searches = Array.from({ length: 8 }, async () => {
  const [time = 0] = await timesOf(1, () => reranker.score(query, texts, rerankerBudgetMs))
  return time
})
const late = await Promise.all(searches)
console.log(`8 searches at once: at most ${Math.max(...late).toFixed(0)} ms`)
await reranker.close()
await runtime.close()
if (scoringFolder) rmSync(scoringFolder, { recursive: true })

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** Copies a model, and gives it a score as its second result. */
function scoring(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'sitelore-reranker-'))
  cpSync(folder, copy, { recursive: true })
  const weights = join(copy, 'onnx', 'model_quantized.onnx')
  // The messages of a protocol buffer are merged where they follow each other.
  writeFileSync(weights, Buffer.concat([readFileSync(weights), averages('last_hidden_state', 'logits')]))
  const config = JSON.parse(readFileSync(join(copy, 'config.json'), 'utf8')) as object
  const architectures = ['BertForSequenceClassification']
  writeFileSync(join(copy, 'config.json'), JSON.stringify({ ...config, architectures }))
  return copy
}

/** The library on the same tokens, in this thread. */
async function openRuntime() {
  const { weights } = readRerankerSettings(modelFolder)
  const { name, ...options } = localModel(modelFolder, weights)
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const sessionOptions = { intraOpNumThreads: rerankingThreads, interOpNumThreads: 1 }
  const model = await AutoModelForSequenceClassification.from_pretrained(name, {
    ...options,
    session_options: sessionOptions,
  })
  const encode = (text: string) => tokenizer(query, { text_pair: text }) as { input_ids: Tensor }
  const cache = new Map<string, { input_ids: Tensor }>()
  return {
    async score(text: string) {
      const encoded = cache.get(text) ?? encode(text)
      cache.set(text, encoded)
      await model(encoded)
    },
    tokensOf: (text: string) => encode(text).input_ids.dims[1],
    close: () => model.dispose(),
  }
}
