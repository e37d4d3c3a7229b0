import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oleOf } from '../../../../tests/support/ole'
import { type OleFile, openOle } from './ole-file'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ole-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function use<Value>(bytes: Uint8Array, take: (ole: OleFile) => Value | Promise<Value>): Promise<Value> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const ole = await openOle(path)
  try {
    return await take(ole)
  } finally {
    await ole.close()
  }
}

describe('compound files', () => {
  const long = Buffer.from('lamp'.repeat(1000))
  const source = { streams: { WordDocument: long, '1Table': Buffer.from('table'), Empty: new Uint8Array() } }

  it('have streams by name', async () => {
    const bytes = oleOf(source)
    expect(await use(bytes, ({ names }) => [...names].sort())).toEqual(['1Table', 'Empty', 'WordDocument'])
    expect((await use(bytes, (ole) => ole.stream('WordDocument')))?.equals(long)).toBe(true)
    expect((await use(bytes, (ole) => ole.stream('1Table')))?.toString()).toBe('table')
    expect((await use(bytes, (ole) => ole.stream('Empty')))?.length).toBe(0)
    expect(await use(bytes, (ole) => ole.stream('Root Entry'))).toBe(null)
  })

  it('end where their sectors go round in a circle, or lead out of the file', async () => {
    // The stream starts behind the header, the table and one sector of the directory.
    const round = oleOf({ ...source, followers: { 3: 2, 4: 3 } })
    expect((await use(round, (ole) => ole.stream('WordDocument')))?.length).toBeLessThanOrEqual(long.length)
    const away = oleOf({ ...source, followers: { 2: 5_000_000 } })
    expect((await use(away, (ole) => ole.stream('WordDocument')))?.length).toBe(512)
    const directory = oleOf({ ...source, followers: { 1: 1 } })
    expect(await use(directory, ({ names }) => names.size)).toBeGreaterThan(0)
  })

  it('have directories that go round in a circle read once', async () => {
    const bytes = oleOf(source)
    // The entry before and the entry behind of the first stream are itself.
    const entry = 512 * 2 + 128
    bytes.writeUInt32LE(1, entry + 68)
    expect(await use(bytes, ({ names }) => [...names].length)).toBe(3)
  })

  it('are refused where they are damaged, and take nothing by what they claim', async () => {
    const refused = (bytes: Uint8Array) => use(bytes, () => 'read').catch((error: { reason: string }) => error.reason)
    expect(await refused(Buffer.alloc(600))).toBe('file-broken')
    expect(await refused(oleOf(source).subarray(0, 400))).toBe('file-broken')
    const tables = oleOf(source)
    tables.writeUInt32LE(0xfffffff0, 44)
    expect(await refused(tables)).toBe('read')
    const size = oleOf(source)
    size.writeUInt32LE(0xffffffff, 512 * 2 + 128 + 120)
    expect((await use(size, (ole) => ole.stream('WordDocument')))?.length).toBe(4096)
    for (let at = 0; at < 1600; at += 7) {
      const changed = oleOf(source)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      await refused(changed)
    }
  })
})
