import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Question {
  id: string
  text: string
  gold: ReadonlySet<string>
}

/** Pages to index and questions about them. */
export interface CorpusSet {
  name: string
  pages: { id: string; title: string; text: string }[]
  questions: Question[]
}

/** Folders of corpus.jsonl, queries and qrels; by name, in the order in which they are measured. */
const folders: Record<string, string> = {
  scifact: 'scifact',
  codebase: 'codebase-contextual',
  poquad: 'poquad/retrieval',
  'xquad-en': 'xquad/retrieval/en',
  'xquad-de': 'xquad/retrieval/de',
  'xquad-es': 'xquad/retrieval/es',
  'xquad-ru': 'xquad/retrieval/ru',
  'xquad-zh': 'xquad/retrieval/zh',
  'xquad-tr': 'xquad/retrieval/tr',
  'xquad-el': 'xquad/retrieval/el',
}
export const corpusNames = Object.keys(folders)

/** Null when the set is not there. */
export function readCorpusSet(root: string, name: string): CorpusSet | null {
  const folder = join(root, folders[name] ?? name)
  if (!existsSync(join(folder, 'corpus.jsonl'))) return null
  const only = (place: string, ending: string) =>
    join(place, readdirSync(place).find((file) => file.endsWith(ending)) ?? '')
  const queries = readdirSync(folder).find((file) => /^queries.*\.jsonl$/.test(file)) ?? 'queries.jsonl'
  const gold = new Map<string, Set<string>>()
  for (const line of linesOf(only(join(folder, 'qrels'), '.tsv')).slice(1)) {
    const [query = '', page = '', grade = '0'] = line.split('\t')
    if (Number(grade) > 0) gold.set(query, (gold.get(query) ?? new Set()).add(page))
  }
  return {
    name,
    pages: linesOf(join(folder, 'corpus.jsonl')).map((line) => {
      const { _id: id, title = '', text } = JSON.parse(line) as { _id: string; title?: string; text: string }
      return { id, title, text }
    }),
    questions: linesOf(join(folder, queries)).flatMap((line) => {
      const { _id: id, text } = JSON.parse(line) as { _id: string; text: string }
      const pages = gold.get(id)
      return pages ? [{ id, text, gold: pages }] : []
    }),
  }
}

/** Questions about a site; the gold pages are paths below its root, without fragments. Null when the set is not there. */
export function readSiteQuestions(root: string, name: string): Question[] | null {
  const file = join(root, 'site-known-item', `${name}.questions.jsonl`)
  if (!existsSync(file)) return null
  return linesOf(file).map((line) => {
    const { _id: id, text, gold_urls: gold } = JSON.parse(line) as { _id: string; text: string; gold_urls: string[] }
    return { id, text, gold: new Set(gold.map((url) => url.replace(/#.*/, ''))) }
  })
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
