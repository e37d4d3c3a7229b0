import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A mechanism of search, and the edit of the source that switches it off. */
interface Mechanism {
  name: string
  file: string
  from: string
  to: string
}

const ranking = 'server/engine/search/ranking'
const mechanisms: Mechanism[] = [
  {
    name: 'beginnings of incomplete words',
    file: 'server/engine/search/expansion/completions.ts',
    from: '(word.length < minPrefixLength || ',
    to: '(word || ',
  },
  {
    name: 'corrections',
    file: 'server/engine/search/expansion/spelling.ts',
    from: '(!isCorrectable(word))',
    to: '(word)',
  },
  {
    name: 'keyboard slips',
    file: 'server/engine/search/expansion/spelling.ts',
    from: 'word.length >= minUnambiguousLength ||',
    to: 'word ||',
  },
  {
    name: 'stems without prefixes',
    file: 'server/adapters/text-index/search/match-terms.ts',
    from: 'const soleStemWeight = 0.7',
    to: 'const soleStemWeight = 0',
  },
  {
    name: 'languages of the collection',
    file: 'server/engine/search/hybrid-search.ts',
    from: 'index.tokenizer, index.languages)',
    to: 'index.tokenizer, [])',
  },
  {
    name: 'named stop words',
    file: 'server/engine/search/query/parse-query.ts',
    from: 'all.length > maxShortQueryWords',
    to: 'all.length >= 0',
  },
  { name: 'lines', file: `${ranking}/rerank.ts`, from: 'const lineWeight = 0.1', to: 'const lineWeight = 0' },
  { name: 'rows of codes', file: `${ranking}/rerank.ts`, from: 'const rowWeight = 0.3', to: 'const rowWeight = 0' },
  {
    name: 'weight of names',
    file: `${ranking}/vector-weight.ts`,
    from: 'if (isFoundName) return nameWeight',
    to: '',
  },
  {
    name: 'weight of languages',
    file: `${ranking}/vector-weight.ts`,
    from: 'const languageTokens = isEnglish ? 1 :',
    to: 'const languageTokens = tokensPerWord > 0 ? 1 :',
  },
]

/** Figures by set: nDCG@10 of keywords alone, and of both. */
type Figures = Record<string, [number, number]>

const repository = resolve(import.meta.dirname, '../..')
const folder = join(repository, '.cache/eval/ablate')
const sources = ['server', 'workers', 'db', 'contract', 'tests/eval', 'tests/support', 'package.json', 'tsconfig.json']
const minMove = 0.0005

/**
 * Measures search with each mechanism switched off in turn, in a copy of the source, and prints by how much each set
 * falls: nDCG@10 of both, and of keywords alone. `args` are those of the measurement in the copies.
 */
export function ablate(args: string[], only: string[] | null): void {
  const chosen = mechanisms.filter(({ name }) => !only || only.includes(name))
  const whole = measureCopy(null, args)
  console.error(`with all: ${JSON.stringify(whole)}`)
  const moves = chosen.map((mechanism) => {
    const figures = measureCopy(mechanism, args)
    console.error(`${mechanism.name}: ${JSON.stringify(figures)}`)
    return { name: mechanism.name, figures }
  })
  const head = ['set', 'with all', ...moves.map(({ name }) => name)]
  const rows = Object.entries(whole).map(([set, [words, both]]) => [
    set,
    `${both.toFixed(3)}, ${words.toFixed(3)}`,
    ...moves.map(({ figures }) => {
      const [otherWords = 0, otherBoth = 0] = figures[set] ?? []
      return `${moveOf(otherBoth - both)}, ${moveOf(otherWords - words)}`
    }),
  ])
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
}

function moveOf(move: number): string {
  return Math.abs(move) < minMove ? '0' : `${move > 0 ? '+' : '-'}${Math.abs(move).toFixed(3).replace(/^0/, '')}`
}

function measureCopy(mechanism: Mechanism | null, args: string[]): Figures {
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const file of execFileSync('git', ['ls-files', ...sources], { cwd: repository, encoding: 'utf8' }).split('\n')) {
    if (file === '') continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(repository, file), join(copy, file))
  }
  for (const name of ['node_modules', 'models']) symlinkSync(join(repository, name), join(copy, name))
  mkdirSync(join(copy, '.cache'))
  symlinkSync(join(repository, '.cache/eval'), join(copy, '.cache/eval'))
  if (mechanism) switchOff(mechanism, copy)
  const { stdout, stderr, status } = spawnSync('npx', ['tsx', 'tests/eval/index.ts', '--json', ...args], {
    cwd: copy,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The measurement without ${mechanism?.name ?? 'nothing'} failed: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Figures
}

function switchOff({ name, file, from, to }: Mechanism, copy: string): void {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (!source.includes(from)) throw new Error(`${file} has no "${from}", which switches off ${name}.`)
  writeFileSync(path, source.replace(from, to))
}
