import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CorpusPage, Question } from './sets/sets'

const maxQuestions = 300
const definition = /^\s*(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait|fn|class|def|type|const) ([A-Za-z_]\w{3,})/gmu
const indexEntry = /<li><a href="([^"#]+)#[^"]*">([^<(]+(?:\(\))?)(?: \([^<]*\))?<\/a>/gu
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The names that the code of a corpus defines, as queries; the gold pages are those that define them. */
export function definedNames(pages: CorpusPage[]): Question[] {
  return toQuestions(pages.flatMap(({ id, text }) => [...text.matchAll(definition)].map(([, name = '']) => [name, id])))
}

/** The terms of a manual's general index, as queries; the gold pages are those that the terms link to. */
export function indexTerms(folder: string): Question[] {
  const files = readdirSync(folder).filter((file) => /^genindex-.*\.html$/.test(file))
  return toQuestions(
    files.sort().flatMap((file) => {
      const page = readFileSync(join(folder, file), 'utf8')
      return [...page.matchAll(indexEntry)].map(([, url = '', term = '']) => [decoded(term).trim(), url])
    }),
  )
}

/** Every n-th name, so that a run takes no longer than with other sets. Names of more than two pages name nothing. */
function toQuestions(entries: string[][]): Question[] {
  const gold = new Map<string, Set<string>>()
  for (const [name = '', page = ''] of entries) gold.set(name, (gold.get(name) ?? new Set()).add(page))
  const unique = [...gold].filter(([, pages]) => pages.size <= 2)
  const step = Math.max(1, Math.ceil(unique.length / maxQuestions))
  return unique.filter((_, n) => n % step === 0).map(([text, pages]) => ({ id: text, text, gold: pages }))
}

function decoded(html: string): string {
  return html
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => namedEntities[name] ?? '')
}
