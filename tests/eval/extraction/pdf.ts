import { type ChildProcess, execFile, fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tokenShares } from './metrics'
import type { PdfAnswer } from './pdf-child'

const sets = ['pdf-pdfjs', 'pdf-verapdf']
const patienceMs = 20_000
const atOnce = 2
const worstShown = 15

interface Judged {
  name: string
  outcome: 'text' | 'no text' | 'crash' | 'hang'
  refused: string | null
  /** Against pdftotext's text; null where it finds none. */
  f1: number | null
  /** Ours, pdftotext's, and those in common. */
  words: { ours: number; theirs: number; common: number }
}

/**
 * Prints how our reading of the PDFs below `root` compares with pdftotext's (Debian's poppler-utils): on how many files
 * both find text, the mean F1 of words over the files in which pdftotext finds any, and the F1 of their words together.
 * Words are runs of letters, marks and digits, in small letters and NFKC, without format characters (Cf), every character
 * of Han, Hiragana, Katakana and Hangul being a word of its own; they are compared as multisets. Files are read in
 * processes that are ended after 20 s.
 */
export async function measurePdf(root: string): Promise<void> {
  for (const set of sets) {
    const folder = join(root, set)
    if (!existsSync(folder)) console.log(`${set}: left out, for it is not in ${root}.`)
    else if (!(await hasPeer())) console.log(`${set}: left out, for pdftotext (poppler-utils) is not installed.`)
    else print(set, folder, await judgeAll(folder))
  }
}

async function hasPeer(): Promise<boolean> {
  return new Promise((done) => execFile('pdftotext', ['-v'], (error) => done(error === null)))
}

async function judgeAll(folder: string): Promise<Judged[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.pdf'))
  const judged: Judged[] = []
  const work = names.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const reader = createReader()
      for (const name of work) judged.push(await judge(folder, name, reader))
      reader.close()
    }),
  )
  return judged.sort((a, b) => a.name.localeCompare(b.name))
}

async function judge(folder: string, name: string, reader: Reader): Promise<Judged> {
  const path = join(folder, name)
  const expected = spaced(await peerText(path))
  const answer = await reader.read(path)
  const text = typeof answer === 'string' ? '' : spaced(answer.text)
  const { f1, recall } = tokenShares(text, expected)
  const theirs = wordsIn(expected)
  return {
    name,
    outcome: typeof answer === 'string' ? answer : wordsIn(text) > 0 ? 'text' : 'no text',
    refused: typeof answer === 'string' ? null : answer.refused,
    f1: theirs > 0 ? f1 : null,
    words: { ours: wordsIn(text), theirs, common: Math.round(recall * theirs) },
  }
}

function spaced(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu, ' $& ')
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0
}

/** The text as pdftotext finds it; '' where it fails. */
function peerText(path: string): Promise<string> {
  const options = { timeout: patienceMs, maxBuffer: 256 * 1024 * 1024 }
  return new Promise((done) => {
    execFile('pdftotext', ['-enc', 'UTF-8', path, '-'], options, (error, stdout) => done(error ? '' : stdout))
  })
}

interface Reader {
  read(path: string): Promise<PdfAnswer | 'crash' | 'hang'>
  close(): void
}

/** A separate process, restarted after a crash or a hang. */
function createReader(): Reader {
  let child: ChildProcess | null = null
  return {
    read: (path) =>
      new Promise((done) => {
        const reader = child ?? start()
        child = reader
        const timer = setTimeout(() => end('hang'), patienceMs)
        const end = (answer: PdfAnswer | 'crash' | 'hang') => {
          clearTimeout(timer)
          reader.removeAllListeners()
          if (typeof answer === 'string') {
            reader.kill('SIGKILL')
            child = null
          }
          done(answer)
        }
        reader.once('message', (answer) => end(answer as PdfAnswer))
        reader.once('exit', () => end('crash'))
        reader.send(path)
      }),
    close: () => child?.kill('SIGKILL'),
  }
}

function start(): ChildProcess {
  const options = { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as const }
  return fork(new URL('pdf-child.ts', import.meta.url), { ...options, stdio: [...options.stdio] })
}

function print(set: string, folder: string, judged: Judged[]): void {
  const withText = judged.filter((item) => item.f1 !== null)
  const both = withText.filter((item) => item.outcome === 'text')
  const mean = withText.reduce((sum, item) => sum + (item.f1 ?? 0), 0) / Math.max(1, withText.length)
  const count = (outcome: Judged['outcome']) => judged.filter((item) => item.outcome === outcome).length
  const share = ((100 * both.length) / Math.max(1, withText.length)).toFixed(1)
  console.log(`\n${set}: ${judged.length} files, in ${withText.length} of which pdftotext finds text`)
  console.log(`text ${count('text')}, no text ${count('no text')}, crashes ${count('crash')}, hangs ${count('hang')}`)
  console.log(`text where pdftotext finds text: ${both.length} (${share} %); mean F1 of words ${mean.toFixed(4)}`)
  const sum = (of: (first: Judged) => number) => withText.reduce((total, item) => total + of(item), 0)
  const all = sum(({ words }) => words.ours + words.theirs)
  console.log(
    `F1 of all their words together ${((2 * sum(({ words }) => words.common)) / Math.max(1, all)).toFixed(4)}`,
  )
  const reasons = new Map<string, number>()
  for (const { refused } of judged) if (refused) reasons.set(refused, (reasons.get(refused) ?? 0) + 1)
  console.log(`refused: ${[...reasons].map(([reason, number]) => `${reason} ${number}`).join(', ') || 'none'}`)
  const locked = lockedFiles(folder)
  const said = judged.filter((item) => item.refused === 'file-encrypted' && locked.has(item.name))
  if (locked.size > 0) console.log(`protected with a password: ${locked.size}, said so of ${said.length}`)
  const worst = withText.sort((a, b) => (a.f1 ?? 0) - (b.f1 ?? 0)).slice(0, worstShown)
  for (const item of worst) console.log(`  ${(item.f1 ?? 0).toFixed(2)}  ${item.name}  ${item.refused ?? item.outcome}`)
}

/** Files of the folder that its manifest gives a password for. */
function lockedFiles(folder: string): Set<string> {
  const path = join(folder, 'test_manifest.json')
  if (!existsSync(path)) return new Set()
  const entries: { file: string; password?: string }[] = JSON.parse(readFileSync(path, 'utf8'))
  return new Set(entries.filter((entry) => entry.password !== undefined).map((entry) => basename(entry.file)))
}
