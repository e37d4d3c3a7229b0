import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FileType, fileTypeOf } from '../../../contract/sources/file'
import type { OfficeAnswer, OfficeTask } from './office-child'

const set = 'office-poi'
const types: FileType[] = ['doc', 'docx', 'xls', 'xlsx']
const peers: Partial<Record<FileType, string>> = {
  doc: 'word-extractor',
  docx: 'word-extractor',
  xls: '@e965/xlsx',
  xlsx: '@e965/xlsx',
}
const patienceMs = 15_000
const heapMegabytes = 512
const atOnce = 2

type Outcome = OfficeAnswer | 'crash' | 'hang'

interface Judged {
  name: string
  ours: Outcome
  peer: Outcome
}

/**
 * Prints on how many Office files below `root` text is found, by us and by the best library that is installed, and how
 * many of the others are refused, by reason. Files are read in processes with 512 MB of heap, which end after 15 s.
 */
export async function measureOffice(root: string): Promise<void> {
  const folder = join(root, set)
  if (!existsSync(folder)) return console.log(`${set}: left out, for it is not in ${root}.`)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const type of types) {
    const ofType = names.filter((name) => fileTypeOf(name) === type)
    print(type, await judgeAll(folder, ofType, type))
  }
}

async function judgeAll(folder: string, names: string[], type: FileType): Promise<Judged[]> {
  const judged: Judged[] = []
  const work = names.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const reader = createReader()
      for (const name of work) {
        const path = join(folder, name)
        const ours = await reader.read({ reader: 'ours', path, type })
        judged.push({ name, ours, peer: await reader.read({ reader: 'peer', path, type }) })
      }
      reader.close()
    }),
  )
  return judged
}

interface Reader {
  read(task: OfficeTask): Promise<Outcome>
  close(): void
}

/** A separate process, restarted after a crash or a hang. */
function createReader(): Reader {
  let child: ChildProcess | null = null
  return {
    read: (task) =>
      new Promise((done) => {
        const reader = child ?? start()
        child = reader
        const timer = setTimeout(() => end('hang'), patienceMs)
        const end = (answer: Outcome) => {
          clearTimeout(timer)
          reader.removeAllListeners()
          if (answer === 'hang' || answer === 'crash') {
            reader.kill('SIGKILL')
            child = null
          }
          done(answer)
        }
        reader.once('message', (answer) => end(answer as OfficeAnswer))
        reader.once('exit', () => end('crash'))
        reader.send(task)
      }),
    close: () => child?.kill('SIGKILL'),
  }
}

function start(): ChildProcess {
  return fork(new URL('office-child.ts', import.meta.url), {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${heapMegabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

function print(type: FileType, judged: Judged[]): void {
  const peer = peers[type] ?? ''
  console.log(`\n${set}, .${type}: ${judged.length} files`)
  console.log(`ours: ${tally(judged.map((item) => item.ours))}`)
  console.log(`${peer}: ${tally(judged.map((item) => item.peer))}`)
  const missed = judged.filter((item) => item.peer === 'text' && item.ours !== 'text')
  for (const { name, ours } of missed) console.log(`  read by ${peer} only: ${name} (${ours})`)
}

function tally(outcomes: Outcome[]): string {
  const counts = new Map<Outcome, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ')
}
