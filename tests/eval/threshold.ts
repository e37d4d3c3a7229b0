/**
 * Shows what thresholds keep: how often the best fragment of a page that answers is kept, and how many of twenty hits are
 * kept for questions whose answering pages are left out of the index.
 *
 *   npx tsx tests/eval/threshold.ts [--sets xquad-en,xquad-de] [--root ../shared/eval]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createTransformersEmbedder } from '../../server/adapters/transformers'
import { createTokenizer } from '../../server/adapters/wordpiece'
import { createQueryReader } from '../../server/engine/query-words'
import { type RetrievableFragment, type RetrieveDeps, retrieve } from '../../server/engine/retrieve'
import { indexCorpus } from './corpus-index'
import { type Question, readCorpusSet } from './sets'

const repository = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: resolve(repository, '../shared/eval') },
    model: { type: 'string', default: resolve(repository, 'models/all-MiniLM-L6-v2') },
    sets: { type: 'string', default: 'scifact,codebase,xquad-en,xquad-es,xquad-de,poquad,xquad-ru,xquad-zh' },
    questions: { type: 'string', default: '300' },
  },
})
const thresholds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const limit = 20

const tokenizer = createTokenizer(values.model)
const readQuery = createQueryReader(tokenizer)
const embedder = await createTransformersEmbedder({ modelFolder: values.model })
for (const name of values.sets.split(',')) {
  const set = readCorpusSet(values.root, name)
  if (!set) {
    console.log(`${name}: left out, for it is not in ${values.root}.`)
    continue
  }
  const index = await indexCorpus(set, { embedder, tokenizer, readQuery })
  const questions = set.questions.slice(0, Number(values.questions))
  const pieces = questions.map(({ text }) => readQuery(text).piecesPerWord).sort((a, b) => a - b)
  const english = questions.filter(({ text }) => readQuery(text).english).length
  console.log(
    `\n${name}: median ${pieces[pieces.length >> 1]?.toFixed(2)} pieces a word, ${english} of ${questions.length} taken for English`,
  )
  const answers: number[] = []
  const wrong: number[] = []
  for (const question of questions) {
    const found = await similarities(index.deps, question)
    answers.push(found.best)
    wrong.push(...found.wrong)
  }
  for (const kept of thresholds) {
    const share = answers.filter((similarity) => similarity >= kept).length / answers.length
    const others = wrong.filter((similarity) => similarity >= kept).length / questions.length
    console.log(
      `at ${kept}: ${(100 * share).toFixed(1)} % of the answers kept, ${others.toFixed(1)} other fragments a question`,
    )
  }
  await index.close()
}
await embedder.close()

async function similarities(deps: RetrieveDeps<RetrievableFragment>, { text, gold }: Question) {
  const { hits } = await retrieve(deps, {
    collectionId: 'corpus',
    query: text,
    limit: 60,
    threshold: 0,
    perAddress: 60,
  })
  const right = hits.filter(({ fragment }) => gold.has(fragment.addressId))
  const wrong = hits.filter(({ fragment }) => !gold.has(fragment.addressId)).slice(0, limit)
  return {
    best: Math.max(0, ...right.map(({ similarity }) => similarity)),
    wrong: wrong.map(({ similarity }) => similarity),
  }
}
