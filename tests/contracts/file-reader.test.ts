import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFileReader, type FileReaderOptions } from '../../server/adapters/file-reading/file-reader'
import type { FileReader, FileReading } from '../../server/engine/documents/ports'
import { until } from '../support/until'

const entry = { args: [fileURLToPath(new URL('../support/file-process.mjs', import.meta.url))], loaderBytes: 0 }
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

/** What comes of a file that is named after what it does to its process. */
async function read(reader: FileReader, name: string, signal = never): Promise<FileReading[]> {
  const readings: FileReading[] = []
  for await (const reading of reader.read({ path: '/tmp/lamps', name, type: 'pdf' }, signal)) readings.push(reading)
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('FileReader', () => {
  it('hands on facts, progress, fragments and the end, in their order', async () => {
    const readings = await read(open(), 'whole')
    expect(readings.map(({ kind }) => kind)).toEqual(['facts', 'progress', 'fragments', 'end'])
    expect(readings[2]).toMatchObject({ fragments: [{ text: 'It hums.' }, { text: 'caf\u00e9 \u{1f600}' }] })
  })

  it('hands on every note of the reader', async () => {
    const notes = ['file-cut', 'file-partly', 'file-shortened'].map((reason) => ({ kind: 'note', reason }))
    expect((await read(open(), 'noted')).slice(0, -1)).toEqual(notes)
  })

  it('hands on a refusal of the reader', async () => {
    expect(await read(open(), 'refused')).toEqual([{ kind: 'refused', reason: 'file-encrypted' }])
  })

  it('tells its process what to read, and nothing of ours', async () => {
    const request = { path: '/tmp/lamps', name: 'asked', type: 'pdf', modelFolder: 'models/none' }
    expect(JSON.parse(titleOf(await read(open(), 'asked')))).toEqual(request)
    process.env.LAMP_SECRET = 'hums'
    const environment = JSON.parse(titleOf(await read(open(), 'environment')))
    delete process.env.LAMP_SECRET
    expect(Object.keys(environment).sort()).toEqual(['NODE_ENV', 'TZ'])
  })

  it.each(['crash', 'throw', 'late', 'nothing', 'words', 'wrong', 'giant', 'noise'])(
    '%s: the file is broken',
    async (name) => {
      expect(await refusalOf(open({ idleMs: 5_000 }), name)).toBe('file-broken')
    },
  )

  it.each(['heap', 'buffers', 'burst'])('%s: memory without end is too complex', async (name) => {
    const limits = { heapBytes: 96 * 2 ** 20, memoryBytes: 160 * 2 ** 20 }
    expect(await refusalOf(open({ ...limits, idleMs: 20_000 }), name)).toBe('file-too-complex')
  })

  it.each(['loop', 'silent'])('%s: no sign of life is too complex', async (name) => {
    expect(await refusalOf(open({ idleMs: 1_000 }), name)).toBe('file-too-complex')
  })

  it('too long in all is too complex, whatever it says', async () => {
    expect(await refusalOf(open({ idleMs: 1_000, totalMs: 1_500 }), 'drip')).toBe('file-too-complex')
  })

  it('output without end is too complex', async () => {
    expect(await refusalOf(open({ outputBytes: 2 ** 20 }), 'endless')).toBe('file-too-complex')
    expect(await refusalOf(open({ fragments: 1_000 }), 'many')).toBe('file-too-complex')
    expect(await refusalOf(open(), 'many')).toBe('end')
  })

  it('goes at the pace of whoever reads, whose time does not count', async () => {
    const counts: number[] = []
    // The clock moves while somebody reads, and never while the process is waited for.
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

  it.each([1, 2])('reads %i at once, the others in the order of asking', async (concurrency) => {
    const reader = open({ concurrency })
    const ended: number[] = []
    let most = 0
    let atWork = 0
    const readOne = async (index: number) => {
      for await (const reading of reader.read({ path: '', name: 'slow', type: 'txt' }, never)) {
        if (reading.kind === 'facts') most = Math.max(most, ++atWork)
      }
      atWork--
      ended.push(index)
    }
    await Promise.all([0, 1, 2, 3].map(readOne))
    expect(most).toBe(concurrency)
    // Of two at once either may end first.
    if (concurrency === 1) expect(ended).toEqual([0, 1, 2, 3])
    else expect(ended.sort()).toEqual([0, 1, 2, 3])
  })

  it('ends its process when it is aborted, at any point', async () => {
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

  it('ends its process when nobody reads on', async () => {
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

  it('throws at its close, for that says nothing of a file', async () => {
    const reader = open({ concurrency: 1 })
    const atWork = expect(read(reader, 'silent')).rejects.toThrow('stopping')
    const waiting = expect(read(reader, 'whole')).rejects.toThrow('stopping')
    await until(() => process.getActiveResourcesInfo().includes('ProcessWrap'))
    await reader.close()
    await Promise.all([atWork, waiting])
    await expect(read(reader, 'whole')).rejects.toThrow('stopping')
  })

  it('throws where the machine fails, for that says nothing of a file either', async () => {
    await expect(read(open(), 'machine')).rejects.toThrow('No space is left.')
    // The reader itself, of a file that is not there.
    const real = createFileReader({ modelFolder: 'models/all-MiniLM-L6-v2' })
    readers.push(real)
    await expect(read(real, 'missing.pdf')).rejects.toThrow('ENOENT')
  }, 20_000)

  it('throws where no process can be started', async () => {
    const nowhere = createFileReader({ modelFolder: '', entry: { args: ['\0'], loaderBytes: 0 } })
    await expect(read(nowhere, 'whole')).rejects.toThrow()
  })
})
