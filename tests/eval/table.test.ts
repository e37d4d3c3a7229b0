import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Row, tableOf, writeTable } from './table'

const scores = (ndcg10: number) => ({ queries: 1, ndcg10, recall5: 1, mrr10: 0.5 })
function row(words: number, vectors: number, ours: number, wanted: number | null): Row {
  const measured = { words: scores(words), vectors: scores(vectors), ours: scores(ours) }
  return { label: 'Lamps', pages: 1_200, fragments: 3_400, questions: 56, wanted, measured }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-table-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('has a row for each set, and says whether it is as good as was wanted', () => {
  const lines = tableOf([row(0.5, 0.6, 0.75, 0.75), row(0.5, 0.6, 0.7396, 0.75)]).split('\n')
  expect(lines[0]).toContain('| set | pages, fragments, questions |')
  expect(lines[2]).toBe(
    '| Lamps | 1,200, 3,400, 56 | .500, 1.000, .500 | .600, 1.000, .500 | **.750, 1.000, .500** | .750 | met |',
  )
  expect(lines[3]).toContain('| .750 | short by .010 |')
  expect(lines).toHaveLength(4)
})

it.each([
  // What is printed as .750 is .750.
  [row(0.5, 0.6, 0.7496, 0.75), '| .750 | met |'],
  [row(0.5, 0.6, 0.7, null), '|  |  |'],
  [row(0.76, 0.6, 0.754, 0.75), '| .750 | met, .006 below the better single path |'],
  [row(0.5, 0.76, 0.745, null), '|  | .015 below the better single path |'],
  [row(0.755, 0.6, 0.75, 0.75), '| .750 | met |'],
])('tells what is missing, %#', (input, end) => {
  expect(tableOf([input]).endsWith(end)).toBe(true)
})

it('is written between its marks, and again', () => {
  const file = join(folder, 'figures.md')
  const page = '# Figures\n\n<!-- retrieval: written by npm run eval -->\nold\n<!-- retrieval: end -->\n\nMore.\n'
  writeFileSync(file, page)
  for (const table of ['| one |', '| two |']) writeTable(file, table)
  expect(readFileSync(file, 'utf8')).toBe(page.replace('old', '| two |'))
  writeFileSync(file, '# Figures\n')
  expect(() => writeTable(file, '| one |')).toThrow('has no place for the table')
})
