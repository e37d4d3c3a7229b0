/**
 * Measures retrieval on public test sets, and on a site that was crawled, and how well the text of pages and files is found.
 * Nothing is downloaded: sets that are not there are left out in plain words.
 *
 *   npx tsx tests/eval/index.ts [--sets scifact,poquad] [--root ../shared/eval]
 *   npx tsx tests/eval/index.ts --site python3.11-faq --data-dir ./data --collection Python
 *   npx tsx tests/eval/index.ts extraction [pages] [csv] [office] [pdf]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createTransformersEmbedder } from '../../server/adapters/transformers'
import { createTokenizer } from '../../server/adapters/wordpiece'
import { createQueryReader } from '../../server/engine/query-words'
import { indexCorpus, type Tools } from './corpus-index'
import { measureExtraction } from './extraction/measure-extraction'
import { type Measured, measure } from './measure'
import { corpusNames, readCorpusSet, readSiteQuestions } from './sets'
import { openSite } from './site-index'

const repository = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: resolve(repository, '../shared/eval') },
    model: { type: 'string', default: resolve(repository, 'models/all-MiniLM-L6-v2') },
    sets: { type: 'string' },
    site: { type: 'string' },
    'data-dir': { type: 'string', default: resolve(repository, 'data') },
    database: { type: 'string', default: 'sitelore.db' },
    collection: { type: 'string' },
  },
})

const [what, ...parts] = positionals
if (what === 'extraction') await measureExtraction(values.root, parts)
else if (what === undefined) await measureRetrieval()
else console.log(`Nothing is measured by the name of ${what}; extraction is.`)

async function measureRetrieval(): Promise<void> {
  const tokenizer = createTokenizer(values.model)
  const embedder = await createTransformersEmbedder({ modelFolder: values.model })
  const tools: Tools = { embedder, tokenizer, readQuery: createQueryReader(tokenizer) }
  try {
    if (values.site || values.collection)
      await measureSite(values.site ?? 'python3.11-faq', values.collection ?? '', tools)
    else for (const name of values.sets?.split(',') ?? corpusNames) await measureCorpus(name, tools)
  } finally {
    await embedder.close()
  }
}

async function measureCorpus(name: string, tools: Tools): Promise<void> {
  const set = readCorpusSet(values.root, name)
  if (!set) return console.log(`${name}: left out, for it is not in ${values.root}.`)
  const index = await indexCorpus(set, tools)
  const measured = await measure({ ...index, pageOf: ({ addressId }) => addressId }, set.questions)
  await index.close()
  print(`${name}: ${set.pages.length} pages, ${index.fragments} fragments, ${set.questions.length} questions`, measured)
}

async function measureSite(name: string, collection: string, tools: Tools): Promise<void> {
  const questions = readSiteQuestions(values.root, name)
  if (!questions) return console.log(`${name}: left out, for its questions are not in ${values.root}.`)
  const place = { dataDir: values['data-dir'], database: values.database, collection }
  const site = await openSite(place, tools)
  if (!site)
    return console.log(`${name}: there is no collection "${collection}" in ${place.dataDir}. Crawl the site first.`)
  const measured = await measure(site, questions)
  await site.close()
  print(
    `${name}: ${site.fragments} fragments, ${site.withoutVector} without a vector, ${questions.length} questions`,
    measured,
  )
}

function print(title: string, measured: Measured[]): void {
  console.log(`\n${title}`)
  console.log('rule           nDCG@10  recall@5  MRR@10  p50 of a search')
  for (const { rule, scores, p50 } of measured) {
    const figures = [scores.ndcg10, scores.recall5, scores.mrr10].map((value) => value.toFixed(3))
    console.log(`${rule.padEnd(14)} ${figures[0]}    ${figures[1]}     ${figures[2]}   ${p50.toFixed(1)} ms`)
  }
}
