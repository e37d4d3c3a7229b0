/**
 * Measures retrieval on public test sets, and on a site that was crawled, and how well the text of pages and files is found.
 * Nothing is downloaded: sets that are not there are left out in plain words. The table of all sets is written into
 * docs/figures.md. Vectors are kept in .cache/eval, so that a second run is quick.
 *
 *   npm run eval
 *   npm run eval -- --sets scifact,poquad [--root ../shared/eval] [--packages .cache/eval/packages]
 *   npm run eval -- --site python3.11-faq --data-dir ./data --collection Python
 *   npm run eval -- ablate [--sets xquad-de,poquad] [--questions 300] [--without lines,corrections]
 *   npm run eval -- extraction [pages] [csv] [office] [pdf]
 *   npm run eval -- sections
 *   npm run eval -- fragments [--seed 1]
 *   npm run eval -- conversations
 *   npm run eval -- translation
 *
 * Sites and manuals are packages of Debian, which are unpacked without being installed; the last line is for the sections:
 *   cd .cache/eval/packages && apt-get download debian-faq libreoffice-help-de python3.11-doc \
 *     python-django-doc python-sqlalchemy-doc python-flask-doc postgresql-doc-15 apache2-doc octave-doc git-doc \
 *     nodejs-doc rust-doc developers-reference r-doc-html
 *   for package in *.deb; do dpkg-deb -x $package .; done
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { ablate } from './ablate'
import { measureFragments } from './extraction/fragments'
import { measureExtraction } from './extraction/measure-extraction'
import { measureSections } from './extraction/sections'
import { measure } from './measure'
import { measureConversations } from './questions/conversations'
import { measureTranslation } from './questions/translation'
import { readSet } from './sets/set-fragments'
import { indexSet } from './sets/set-index'
import { type CorpusPlace, type Question, readSiteQuestions, type SitePlace, sets } from './sets/sets'
import { openSite } from './sets/site-index'
import { type Row, tableOf, writeTable } from './table'
import { openTools, sharedOptions, type Tools } from './tools'

const repository = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...sharedOptions,
    site: { type: 'string', default: 'python3.11-faq' },
    'data-dir': { type: 'string', default: resolve(repository, 'data') },
    database: { type: 'string', default: 'sitelore.db' },
    collection: { type: 'string' },
    /** At most as many questions of each set, evenly spread. */
    questions: { type: 'string' },
    /** Mechanisms to switch off, one at a time; all by default. */
    without: { type: 'string' },
    /** Of the sample of fragments. */
    seed: { type: 'string', default: '1' },
    /** Prints nDCG@10 of keywords alone and of both, by set, as `ablate` reads them. */
    json: { type: 'boolean', default: false },
  },
})

const [what, ...parts] = positionals
if (what === 'extraction') await measureExtraction(values.root, parts)
else if (what === 'sections') measureSections([values.packages, '/'], createTokenizer(values.model))
else if (what === 'fragments')
  measureFragments([values.packages, '/'], createTokenizer(values.model), Number(values.seed))
else if (what === 'ablate') ablate(argsOfCopies(), values.without?.split(',') ?? null)
else if (what === 'conversations') await withTools((tools) => measureConversations(values.root, tools))
else if (what === 'translation') await withTools(measureTranslation)
else if (what === undefined) await measureRetrieval()
else
  console.log(
    `Nothing is measured by the name of ${what}; extraction, sections, fragments, ablate, conversations and translation are.`,
  )

function argsOfCopies(): string[] {
  const { root, packages, model, sets: names, questions } = values
  const input = { root: resolve(root), packages: resolve(packages), model: resolve(model), sets: names, questions }
  return Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
}

async function withTools(measureWith: (tools: Tools) => Promise<void>): Promise<void> {
  const tools = await openTools(values)
  try {
    await measureWith(tools)
  } finally {
    await tools.embedder.close()
  }
}

async function measureRetrieval(): Promise<void> {
  const tools = await openTools(values)
  try {
    if (values.json) await printJson(tools)
    else if (values.collection) await measureSite(values.site, values.collection, tools)
    else if (values.sets) console.log(tableOf((await measureSets(chosenSets(values.sets), tools)).rows))
    else await measureAll(tools)
  } finally {
    await tools.embedder.close()
  }
}

async function printJson(tools: Tools): Promise<void> {
  const { rows } = await measureSets(values.sets ? chosenSets(values.sets) : sets, tools)
  const figures = rows.map(({ name, measured }) => [name, [measured.words.ndcg10, measured.ours.ndcg10]])
  console.log(JSON.stringify(Object.fromEntries(figures)))
}

function chosenSets(names: string): (CorpusPlace | SitePlace)[] {
  return names.split(',').flatMap((name) => {
    const place = sets.find((set) => set.name === name)
    if (!place) console.log(`There is no set ${name}; there are ${sets.map((set) => set.name).join(', ')}.`)
    return place ?? []
  })
}

async function measureAll(tools: Tools): Promise<void> {
  const { rows, left } = await measureSets(sets, tools)
  const table = tableOf(rows)
  console.log(table)
  if (left > 0) return console.log(`docs/figures.md stays as it is, for ${left} of the sets were left out.`)
  writeTable(resolve(repository, 'docs/figures.md'), table)
  console.log('Written into docs/figures.md.')
}

async function measureSets(places: (CorpusPlace | SitePlace)[], tools: Tools) {
  const rows: (Row & { name: string })[] = []
  let left = 0
  for (const place of places) {
    const set = readSet(place, tools.folders, tools.tokenizer)
    if (typeof set === 'string') {
      console.log(`${place.name} is left out: ${set}.`)
      left++
      continue
    }
    const { pages, fragments } = set
    const questions = spread(set.questions)
    const index = await indexSet(fragments, tools)
    const measured = await measure({ ...index, pageOf: ({ addressId }) => addressId }, questions, !values.json)
    await index.close()
    rows.push({ ...place, pages, fragments: fragments.length, questions: questions.length, measured })
  }
  return { rows, left }
}

function spread(questions: Question[]): Question[] {
  const step = Math.ceil(questions.length / Number(values.questions ?? questions.length))
  return questions.filter((_, n) => n % step === 0)
}

/** A site that the product crawled, as stored in its database. */
async function measureSite(name: string, collection: string, tools: Tools): Promise<void> {
  const questions = readSiteQuestions(values.root, `${name}.questions.jsonl`)
  if (!questions) return console.log(`${name} is left out: its questions are not in ${values.root}.`)
  const place = { dataDir: values['data-dir'], database: values.database, collection }
  const site = await openSite(place, tools)
  if (!site) {
    return console.log(
      `${name} is left out: there is no collection "${collection}" in ${place.dataDir}. Crawl the site first.`,
    )
  }
  const { pages, fragments, pendingEmbeddings } = site
  const measured = await measure(site, questions, true)
  await site.close()
  if (pendingEmbeddings > 0) console.log(`${pendingEmbeddings} fragments have no vector of this model.`)
  const label = `${collection}, as crawled`
  console.log(tableOf([{ label, pages, fragments, questions: questions.length, wanted: null, measured }]))
}
