import { readFileSync, writeFileSync } from 'node:fs'
import type { Measured } from './measure'
import type { Scores } from './metrics'

export interface Row {
  label: string
  pages: number
  fragments: number
  questions: number
  /** Least nDCG@10 of both; null where none was set. */
  wanted: number | null
  measured: Measured
}

const head = [
  'set',
  'pages, fragments, questions',
  'words only: nDCG@10, recall@5, MRR@10',
  'vectors only',
  'ours',
  'wanted',
  '',
]
const start = '<!-- retrieval: written by npm run eval -->'
const end = '<!-- retrieval: end -->'
/** Both together may be so much below the better of the two. */
const maxDeficit = 0.005

/** The one table of retrieval, in Markdown. */
export function tableOf(rows: Row[]): string {
  const lines = rows.map((row) => [
    row.label,
    [row.pages, row.fragments, row.questions].map((count) => count.toLocaleString('en')).join(', '),
    figures(row.measured.words),
    figures(row.measured.vectors),
    `**${figures(row.measured.ours)}**`,
    row.wanted === null ? '' : figure(row.wanted),
    verdict(row),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Puts the table where the page has its marks for it. */
export function writeTable(file: string, table: string): void {
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`${file} has no place for the table, which is between ${start} and ${end}.`)
  writeFileSync(file, `${page.slice(0, from)}${start}\n${table}\n${page.slice(to)}`)
}

function verdict({ wanted, measured: { words, vectors, ours } }: Row): string {
  const better = Math.max(words.ndcg10, vectors.ndcg10)
  const isBelow = ours.ndcg10 < better - maxDeficit
  const isShort = wanted !== null && rounded(ours.ndcg10) < wanted
  return [
    isShort ? `short by ${figure(wanted - ours.ndcg10)}` : wanted === null ? '' : 'met',
    isBelow ? `${figure(better - ours.ndcg10)} below the better single path` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function figures({ ndcg10, recall5, mrr10 }: Scores): string {
  return [ndcg10, recall5, mrr10].map(figure).join(', ')
}

function figure(value: number): string {
  return value.toFixed(3).replace(/^0\./, '.')
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}
