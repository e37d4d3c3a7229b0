import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { definedNames } from '../names'
import { incomplete, misspelled } from './altered-questions'

export interface Question {
  id: string
  text: string
  /** Ids of the pages that answer. */
  gold: ReadonlySet<string>
}

interface SetFacts {
  name: string
  /** As the table calls it. */
  label: string
  /** Of its pages, as they would say it themselves. */
  language: string
  /** Least nDCG@10 of words and meaning; null where none was set. */
  wanted: number | null
}

/** A folder of corpus.jsonl, queries and qrels. */
export interface CorpusPlace extends SetFacts {
  kind: 'corpus'
  folder: string
  /** What its pages hold: prose in paragraphs, or one piece of source code. */
  holds: 'prose' | 'code'
  /** The queries: the set's questions, altered if required, or the names that its code defines. */
  asks: 'questions' | 'misspelled' | 'incomplete' | 'names'
}

/** Pages of a Debian package, with questions of `site-known-item`. */
export interface SitePlace extends SetFacts {
  kind: 'site'
  package: string
  /** Where the package puts its pages. */
  folder: string
  /** A file of questions; null for the terms of the manual's own index. */
  questions: string | null
  /** Pages of the package that are not part of the site, or that list the answers as an index does. */
  leftOut: RegExp
}

/** In the order in which they are measured. */
export const sets: (CorpusPlace | SitePlace)[] = [
  corpus('scifact', 'scifact (training questions)', 'scifact', 'en', 0.74),
  {
    kind: 'site',
    name: 'python',
    label: 'site-known-item, Python manual',
    language: 'en',
    wanted: 0.975,
    package: 'python3.11-doc',
    folder: 'usr/share/doc/python3.11/html',
    questions: 'python3.11-faq.questions.jsonl',
    leftOut: /(^|\/)(genindex[^/]*|contents\.html)$|^_/,
  },
  {
    kind: 'site',
    name: 'python-names',
    label: 'Python manual, terms of its index',
    language: 'en',
    wanted: null,
    package: 'python3.11-doc',
    folder: 'usr/share/doc/python3.11/html',
    questions: null,
    leftOut: /(^|\/)(genindex[^/]*|contents\.html)$|^_/,
  },
  {
    kind: 'site',
    name: 'debian-faq',
    label: 'site-known-item, Debian FAQ',
    language: 'en',
    wanted: 0.988,
    package: 'debian-faq',
    folder: 'usr/share/doc/debian/FAQ',
    questions: 'debian-faq.questions.jsonl',
    leftOut: /^index(\.en)?\.html$|^(?!.*\.en\.html$)/,
  },
  { ...corpus('codebase', 'codebase-contextual', 'codebase-contextual', '', 0.722), holds: 'code' },
  {
    ...corpus('codebase-names', 'codebase-contextual, bare names', 'codebase-contextual', '', null),
    holds: 'code',
    asks: 'names',
  },
  corpus('xquad-en', 'XQuAD English', 'xquad/retrieval/en', 'en', 0.982),
  corpus('xquad-de', 'XQuAD German', 'xquad/retrieval/de', 'de', 0.95),
  corpus('xquad-es', 'XQuAD Spanish', 'xquad/retrieval/es', 'es', 0.958),
  corpus('xquad-ru', 'XQuAD Russian', 'xquad/retrieval/ru', 'ru', 0.943),
  corpus('xquad-ar', 'XQuAD Arabic', 'xquad/retrieval/ar', 'ar', null),
  corpus('xquad-el', 'XQuAD Greek', 'xquad/retrieval/el', 'el', null),
  corpus('xquad-ro', 'XQuAD Romanian', 'xquad/retrieval/ro', 'ro', null),
  corpus('xquad-tr', 'XQuAD Turkish', 'xquad/retrieval/tr', 'tr', null),
  corpus('xquad-zh', 'XQuAD Chinese', 'xquad/retrieval/zh', 'zh', null),
  {
    ...corpus('xquad-en-misspelled', 'XQuAD English, misspelled', 'xquad/retrieval/en', 'en', null),
    asks: 'misspelled',
  },
  {
    ...corpus('xquad-de-misspelled', 'XQuAD German, misspelled', 'xquad/retrieval/de', 'de', null),
    asks: 'misspelled',
  },
  {
    ...corpus('xquad-en-incomplete', 'XQuAD English, incomplete', 'xquad/retrieval/en', 'en', null),
    asks: 'incomplete',
  },
  {
    ...corpus('xquad-de-incomplete', 'XQuAD German, incomplete', 'xquad/retrieval/de', 'de', null),
    asks: 'incomplete',
  },
  {
    kind: 'site',
    name: 'libreoffice-de',
    label: 'site-known-item, LibreOffice help (German)',
    language: 'de',
    wanted: 0.666,
    package: 'libreoffice-help-de',
    folder: 'usr/share/libreoffice/help',
    questions: 'libreoffice-help-de.index.jsonl',
    leftOut: /^(?!de\/text\/)/,
  },
  corpus('poquad', 'PoQuAD (Polish)', 'poquad/retrieval', 'pl', 0.876),
]

function corpus(name: string, label: string, folder: string, language: string, wanted: number | null): CorpusPlace {
  return { kind: 'corpus', name, label, folder, language, wanted, holds: 'prose', asks: 'questions' }
}

export interface CorpusPage {
  id: string
  title: string
  text: string
}

/** Null when the set is not there. */
export function readCorpus(root: string, place: CorpusPlace): { pages: CorpusPage[]; questions: Question[] } | null {
  const folder = join(root, place.folder)
  if (!existsSync(join(folder, 'corpus.jsonl'))) return null
  const only = (place: string, ending: string) =>
    join(place, readdirSync(place).find((file) => file.endsWith(ending)) ?? '')
  const queries = readdirSync(folder).find((file) => /^queries.*\.jsonl$/.test(file)) ?? 'queries.jsonl'
  const gold = new Map<string, Set<string>>()
  for (const line of linesOf(only(join(folder, 'qrels'), '.tsv')).slice(1)) {
    const [query = '', page = '', grade = '0'] = line.split('\t')
    if (Number(grade) > 0) gold.set(query, (gold.get(query) ?? new Set()).add(page))
  }
  const pages = linesOf(join(folder, 'corpus.jsonl')).map((line) => {
    const { _id: id, title = '', text } = JSON.parse(line) as { _id: string; title?: string; text: string }
    return { id, title, text }
  })
  if (place.asks === 'names') return { pages, questions: definedNames(pages) }
  const questions = linesOf(join(folder, queries)).flatMap((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string }
    const pages = gold.get(id)
    return pages ? [{ id, text, gold: pages }] : []
  })
  if (place.asks === 'questions') return { pages, questions }
  return { pages, questions: place.asks === 'misspelled' ? misspelled(questions) : incomplete(questions) }
}

/** Questions about a site; the gold pages are paths below its root, without fragments. Null when the set is not there. */
export function readSiteQuestions(root: string, file: string): Question[] | null {
  const path = join(root, 'site-known-item', file)
  if (!existsSync(path)) return null
  return linesOf(path).map((line) => {
    const { _id: id, text, gold_urls: gold } = JSON.parse(line) as { _id: string; text: string; gold_urls: string[] }
    return { id, text, gold: new Set(gold.map((url) => url.replace(/#.*/, ''))) }
  })
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
