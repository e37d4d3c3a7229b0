/**
 * Shows what thresholds keep: how often a page that answers is kept, and how many other fragments of the first twenty.
 * Beside the similarity, the cosine alone.
 *
 *   npx tsx tests/eval/threshold.ts [--sets xquad-en,tables] [--questions 300] [--root ../shared/eval]
 */
import { parseArgs } from 'node:util'
import { search } from '../../server/engine/search/hybrid-search'
import { parseQuery } from '../../server/engine/search/query/parse-query'
import type { ScoredHit } from '../../server/engine/search/ranking/select-hits'
import { type EvalFragment, type EvalSet, readSet } from './sets/set-fragments'
import { indexSet, type SetIndex } from './sets/set-index'
import { type Question, sets } from './sets/sets'
import { readTables } from './sets/table-set'
import { openTools, sharedOptions } from './tools'

const { values } = parseArgs({
  options: { ...sharedOptions, questions: { type: 'string', default: '300' } },
})
const thresholds = [0.2, 0.3, 0.4, 0.5]
const others = 20
const names = values.sets?.split(',') ?? ['tables', ...sets.map(({ name }) => name)]

const tools = await openTools(values)
for (const name of names) {
  const set = await setOf(name)
  if (typeof set === 'string') {
    console.log(`${name} is left out: ${set}.`)
    continue
  }
  const index = await indexSet(set.fragments, tools)
  const questions = set.questions.slice(0, Number(values.questions))
  const tokens = questions
    .map(({ text }) => parseQuery(text, tools.tokenizer, index.index.languages).tokensPerWord)
    .sort((a, b) => a - b)
  const found = []
  for (const question of questions) found.push(await judged(index, question))
  console.log(
    `\n${name}: ${questions.length} questions, median ${tokens[tokens.length >> 1]?.toFixed(2)} tokens per word`,
  )
  for (const kept of thresholds) {
    const told = [
      ['similarity', (hit: ScoredHit<EvalFragment>) => hit.similarity],
      ['cosine alone', (hit: ScoredHit<EvalFragment>) => hit.cosine ?? 0],
    ] as const
    for (const [by, figure] of told) {
      const reaches = (hit: ScoredHit<EvalFragment>) => figure(hit) >= kept
      const answers = found.filter(({ right }) => right.some(reaches)).length / found.length
      const wrong = found.reduce((sum, item) => sum + item.wrong.filter(reaches).length, 0) / found.length
      console.log(`at ${kept} by ${by}: ${(100 * answers).toFixed(1)} % kept, ${wrong.toFixed(1)} others a question`)
    }
  }
  await index.close()
}
await tools.embedder.close()

async function setOf(name: string): Promise<EvalSet | string> {
  if (name === 'tables') return readTables(tools.tokenizer)
  const place = sets.find((set) => set.name === name)
  return place ? readSet(place, tools.folders, tools.tokenizer) : 'there is no such set'
}

async function judged({ collectionId, index }: SetIndex, { text: query, gold }: Question) {
  const { hits } = await search(index, { collectionId, query, limit: 60, threshold: 0, maxPerAddress: 60 })
  const isRight = ({ fragment }: ScoredHit<EvalFragment>) => gold.has(fragment.addressId)
  return { right: hits.filter(isRight), wrong: hits.filter((hit) => !isRight(hit)).slice(0, others) }
}
