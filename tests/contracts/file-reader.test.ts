import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FileType } from '../../contract/sources/file'
import { createFileReader, type FileReaderOptions } from '../../server/adapters/file-reading/file-reader'
import type { FileReader, FileReading } from '../../server/engine/documents/ports'
import { zipOf } from '../support/files/zip'
import { seededRandom } from '../support/seeded-random'
import { until } from '../support/until'

const entry = {
  args: [fileURLToPath(new URL('../support/files/file-process.mjs', import.meta.url))],
  loaderBytes: 0,
  loaderMs: 0,
}
const never = new AbortController().signal
const readers: FileReader[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(readers.splice(0).map((reader) => reader.close()))
})

function open(limits: FileReaderOptions['limits'] = {}): FileReader {
  const reader = createFileReader({ modelFolder: 'models/none', entry, limits })
  readers.push(reader)
  return reader
}

/** Reads a file; its name tells the test process what to do. */
async function read(
  reader: FileReader,
  name: string,
  signal = never,
  { path = '/tmp/lamps', type = 'pdf' }: { path?: string; type?: FileType } = {},
): Promise<FileReading[]> {
  const readings: FileReading[] = []
  for await (const reading of reader.read({ path, name, type }, signal)) readings.push(reading)
  return readings
}

async function refusalOf(reader: FileReader, name: string): Promise<string | undefined> {
  const last = (await read(reader, name)).at(-1)
  return last?.kind === 'refused' ? last.reason : last?.kind
}

function titleOf(readings: FileReading[]): string {
  const [first] = readings
  return first?.kind === 'facts' ? first.facts.title : ''
}

/** A workbook whose shared strings are of about this many characters, and compress well. */
function workbookOf(characters: number): Buffer {
  const random = seededRandom(7, 'workbook')
  const strings = Array.from(
    { length: 1_000 },
    () => `<si><t>${random() < 0.5 ? 'lamp' : 'wick'}${'s'.repeat(14)}</t></si>`,
  )
  const chunk = strings.join('')
  const content = `<sst>${chunk.repeat(Math.ceil(characters / chunk.length))}</sst>`
  return zipOf([
    { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="A" sheetId="1"/></sheets></workbook>' },
    { name: 'xl/worksheets/sheet1.xml', content: '<worksheet><sheetData/></worksheet>' },
    { name: 'xl/sharedStrings.xml', content },
  ])
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('FileReader', () => {
  it('yields facts, progress, fragments and the end in order', async () => {
    const readings = await read(open(), 'whole')
    expect(readings.map(({ kind }) => kind)).toEqual(['facts', 'progress', 'fragments', 'end'])
    expect(readings[2]).toMatchObject({ fragments: [{ text: 'It hums.' }, { text: 'caf\u00e9 \u{1f600}' }] })
  })

  it('yields every note of the reader', async () => {
    const notes = ['file-cut', 'file-partly', 'file-shortened'].map((reason) => ({ kind: 'note', reason }))
    expect((await read(open(), 'noted')).slice(0, -1)).toEqual(notes)
  })

  it('yields a refusal of the reader', async () => {
    expect(await read(open(), 'refused')).toEqual([{ kind: 'refused', reason: 'file-encrypted' }])
  })

  it('passes the request to the process, and no environment of the server', async () => {
    const request = { path: '/tmp/lamps', name: 'asked', type: 'pdf', modelFolder: 'models/none' }
    expect(JSON.parse(titleOf(await read(open(), 'asked')))).toEqual(request)
    process.env.LAMP_SECRET = 'hums'
    const environment = JSON.parse(titleOf(await read(open(), 'environment')))
    delete process.env.LAMP_SECRET
    expect(Object.keys(environment).sort()).toEqual(['NODE_ENV', 'TZ'])
  })

  it.each(['crash', 'throw', 'late', 'nothing', 'words', 'wrong', 'giant', 'noise'])(
    'refuses a file as broken: %s',
    async (name) => {
      expect(await refusalOf(open({ idleMs: 5_000 }), name)).toBe('file-broken')
    },
  )

  it.each(['heap', 'buffers', 'burst'])(
    'refuses a file that takes too much memory as too complex: %s',
    async (name) => {
      const limits = { heapBytes: 96 * 2 ** 20, memoryBytes: 160 * 2 ** 20 }
      expect(await refusalOf(open({ ...limits, idleMs: 20_000 }), name)).toBe('file-too-complex')
    },
  )

  it('recognizes a lack of memory ahead of a long trace', async () => {
    expect(await refusalOf(open(), 'trace')).toBe('file-too-complex')
  })

  it('leaves a file the memory of its limit, whatever the runtime reserves', async () => {
    expect(await refusalOf(open(), 'large')).toBe('end')
  })

  it.each(['loop', 'silent'])('refuses a file without progress as too complex: %s', async (name) => {
    expect(await refusalOf(open({ idleMs: 1_000 }), name)).toBe('file-too-complex')
  })

  it('refuses a file that takes too long in all as too complex', async () => {
    expect(await refusalOf(open({ idleMs: 1_000, totalMs: 1_500 }), 'drip')).toBe('file-too-complex')
  })

  it('ends a small archive by its processor time', async () => {
    // None of the other limits can end it.
    const limits = { archiveMs: 1_000, archiveMsPerMebibyte: 0 }
    const readings = await read(open(limits), 'loop', never, { type: 'xlsx' })
    expect(readings).toEqual([{ kind: 'refused', reason: 'file-too-complex' }])

    const folder = await mkdtemp(join(tmpdir(), 'lamps-'))
    const path = join(folder, 'lamps.xlsx')
    await writeFile(path, workbookOf(250e6))
    const real = createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2', limits })
    readers.push(real)
    expect(await read(real, 'lamps.xlsx', never, { path, type: 'xlsx' })).toEqual(readings)
    await rm(folder, { recursive: true })
  }, 120_000)

  it('refuses a file with too much output as too complex', async () => {
    expect(await refusalOf(open({ outputBytes: 2 ** 20 }), 'endless')).toBe('file-too-complex')
    expect(await refusalOf(open({ fragments: 1_000 }), 'many')).toBe('file-too-complex')
    expect(await refusalOf(open(), 'many')).toBe('end')
  })

  it('waits for the consumer, whose time does not count', async () => {
    const counts: number[] = []
    // The clock moves while the test consumes, and never while the reader waits for the process.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    for await (const reading of open({ idleMs: 400, totalMs: 400 }).read(
      { path: '', name: 'many', type: 'csv' },
      never,
    )) {
      counts.push(reading.kind === 'fragments' ? reading.fragments.length : 0)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(counts).toEqual([...Array(100).fill(32), 0])
  })

  it.each([1, 2])('reads %i at once, others in the order of the calls', async (concurrency) => {
    const reader = open({ concurrency })
    const ended: number[] = []
    let maxRunning = 0
    let running = 0
    const readOne = async (index: number) => {
      for await (const reading of reader.read({ path: '', name: 'slow', type: 'txt' }, never)) {
        if (reading.kind === 'facts') maxRunning = Math.max(maxRunning, ++running)
      }
      running--
      ended.push(index)
    }
    await Promise.all([0, 1, 2, 3].map(readOne))
    expect(maxRunning).toBe(concurrency)
    // Of two concurrent reads either may end first.
    if (concurrency === 1) expect(ended).toEqual([0, 1, 2, 3])
    else expect(ended.sort()).toEqual([0, 1, 2, 3])
  })

  it('ends the process when it is aborted at any point', async () => {
    const reader = open({ concurrency: 1 })
    const abort = new AbortController()
    const reading = reader.read({ path: '', name: 'slow', type: 'txt' }, abort.signal)[Symbol.asyncIterator]()
    const { value } = await reading.next()
    const waiting = expect(read(reader, 'whole', abort.signal)).rejects.toThrow('Stop.')
    abort.abort(new Error('Stop.'))
    await expect(reading.next()).rejects.toThrow('Stop.')
    await waiting
    expect(isAlive(Number(titleOf([value])))).toBe(false)
    await expect(read(reader, 'whole', abort.signal)).rejects.toThrow('Stop.')
    expect(await refusalOf(reader, 'whole')).toBe('end')
  })

  it('ends the process when the consumer stops', async () => {
    const reader = open({ concurrency: 1 })
    let pid = 0
    for await (const reading of reader.read({ path: '', name: 'slow', type: 'txt' }, never)) {
      pid = Number(titleOf([reading]))
      break
    }
    expect(pid).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(false)
    expect(await refusalOf(reader, 'whole')).toBe('end')
  })

  it('throws when it is closed', async () => {
    const reader = open({ concurrency: 1 })
    const running = expect(read(reader, 'silent')).rejects.toThrow('stopping')
    const waiting = expect(read(reader, 'whole')).rejects.toThrow('stopping')
    await until(() => process.getActiveResourcesInfo().includes('ProcessWrap'))
    await reader.close()
    await Promise.all([running, waiting])
    await expect(read(reader, 'whole')).rejects.toThrow('stopping')
  })

  it('throws if the machine fails', async () => {
    await expect(read(open(), 'machine')).rejects.toThrow('No space is left.')
    // The real reader, of a missing file.
    const real = createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' })
    readers.push(real)
    await expect(read(real, 'missing.pdf')).rejects.toThrow('ENOENT')
  }, 20_000)

  it('throws if no process can be started', async () => {
    const invalid = createFileReader({ modelFolder: '', entry: { args: ['\0'], loaderBytes: 0, loaderMs: 0 } })
    await expect(read(invalid, 'whole')).rejects.toThrow()
  })
})
