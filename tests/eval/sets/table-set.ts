import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { headingSeparator } from '../../../server/engine/chunking/embedding-text'
import { readCsv } from '../../../server/engine/documents/sheets/csv/csv'
import { readDocument } from '../../../server/engine/ingest/read-document'
import type { Tokenizer } from '../../../server/engine/ports/search-index'
import type { EvalFragment, EvalSet } from './set-fragments'

interface Table {
  name: string
  /** The first row names the columns; the first column names what a row is about. */
  rows: string[][]
  /** With {} for what a row is about. */
  questions: string[]
}

/**
 * Questions about single rows of tables, as people upload them. The tables are made of what Node knows; a fragment of a
 * row's file that holds the row answers, and each fragment counts as a page of its own.
 */
export async function readTables(tokenizer: Tokenizer): Promise<EvalSet> {
  const fragments: EvalFragment[] = []
  const questions: EvalSet['questions'] = []
  for (const table of tables()) {
    const first = fragments.length
    for await (const fragment of fragmentsOf(table, tokenizer)) {
      fragments.push({ ...fragment, key: fragments.length + 1, addressId: `${table.name} ${fragments.length + 1}` })
    }
    for (const [subject = ''] of table.rows.slice(1)) {
      const holds = ({ text }: EvalFragment) => text.split('\n').some((line) => line.includes(`: ${subject};`))
      const gold = new Set(
        fragments
          .slice(first)
          .filter(holds)
          .map(({ addressId }) => addressId),
      )
      for (const question of table.questions) {
        const text = question.replace('{}', subject)
        if (gold.size === 1) questions.push({ id: text, text, gold })
      }
    }
  }
  return { pages: fragments.length, fragments, questions: spread(questions) }
}

async function* fragmentsOf({ name, rows }: Table, tokenizer: Tokenizer) {
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-table-'))
  const file = join(folder, `${name}.csv`)
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  writeFileSync(file, rows.map((row) => row.map(quoted).join()).join('\n'))
  for await (const part of readDocument(readCsv(file), { name: `${name}.csv` }, tokenizer)) {
    if (part.kind !== 'fragments') continue
    for (const { title, headings, innerHeadings, text, language } of part.fragments) {
      const joined = { headings: headings.join(headingSeparator), innerHeadings: innerHeadings.join(headingSeparator) }
      yield { url: name, language, title, ...joined, text }
    }
  }
  rmSync(folder, { recursive: true })
}

function tables(): Table[] {
  const lamps = 'Storm 40,Harbor 12,Meadow,Pebble,Quill,North Star,Candle 7,Anchor,Drift,Beacon 300,Willow,Ember'.split(
    ',',
  )
  const colours = ['red', 'blue', 'oak', 'white']
  const [english, german, french] = ['en', 'de', 'fr'].map((text) => new Intl.DisplayNames(text, { type: 'region' }))
  const currency = new Intl.DisplayNames('en', { type: 'currency' })
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const codes = letters.flatMap((letter) => letters.map((two) => letter + two))
  return [
    {
      name: 'lamps',
      rows: [
        ['Article', 'Colour', 'Weight', 'Price', 'Stock'],
        ...lamps.map((lamp, n) => [
          lamp,
          colours[n % 4] ?? '',
          `${300 + 37 * n} g`,
          `${(19 + 7.5 * n).toFixed(2)} EUR`,
          String((n * 7) % 23),
        ]),
      ],
      questions: ['How much does the {} cost?', 'What colour is the {}?', 'How heavy is the {}?', '{} price'],
    },
    {
      name: 'status codes',
      rows: [['Meaning', 'Status'], ...Object.entries(STATUS_CODES).map(([code, meaning = '']) => [meaning, code])],
      questions: ['Which status code means {}?', '{}'],
    },
    {
      name: 'countries',
      rows: [
        ['Country', 'Code', 'In German', 'In French'],
        ...codes
          .filter((code) => english?.of(code) !== code && !/unknown/i.test(english?.of(code) ?? ''))
          .map((code) => [english, null, german, french].map((names) => (names ? (names.of(code) ?? '') : code))),
      ],
      questions: ['What is the code of {}?', 'What is {} called in French?'],
    },
    {
      name: 'currencies',
      rows: [
        ['Currency', 'Code'],
        ...Intl.supportedValuesOf('currency').map((code) => [currency.of(code) ?? code, code]),
      ],
      questions: ['What is the abbreviation of the {}?', 'currency code {}'],
    },
    {
      name: 'error numbers',
      rows: [['Name', 'Number'], ...Object.entries(constants.errno).map(([name, number]) => [name, String(number)])],
      questions: ['What does {} mean?', 'Which number has {}?'],
    },
  ]
}

/** Those of all tables side by side, however few are asked. */
function spread<Item>(items: Item[]): Item[] {
  const step = 37
  const order = items.map((item, n) => ({ item, at: (n * step) % items.length, n }))
  return order.sort((a, b) => a.at - b.at || a.n - b.n).map(({ item }) => item)
}
