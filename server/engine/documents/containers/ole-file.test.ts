import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oleOf } from '../../../../tests/support/files/ole'
import { type OleFile, openOle } from './ole-file'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ole-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function withOle<Value>(bytes: Uint8Array, read: (ole: OleFile) => Value | Promise<Value>): Promise<Value> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const ole = await openOle(path)
  try {
    return await read(ole)
  } finally {
    await ole.close()
  }
}

describe('openOle', () => {
  const long = Buffer.from('lamp'.repeat(1000))
  const source = { streams: { WordDocument: long, '1Table': Buffer.from('table'), Empty: new Uint8Array() } }

  it('reads streams by name', async () => {
    const bytes = oleOf(source)
    expect(await withOle(bytes, ({ names }) => [...names].sort())).toEqual(['1Table', 'Empty', 'WordDocument'])
    expect((await withOle(bytes, (ole) => ole.readStream('WordDocument')))?.equals(long)).toBe(true)
    expect((await withOle(bytes, (ole) => ole.readStream('1Table')))?.toString()).toBe('table')
    expect((await withOle(bytes, (ole) => ole.readStream('Empty')))?.length).toBe(0)
    expect(await withOle(bytes, (ole) => ole.readStream('Root Entry'))).toBe(null)
  })

  it('ends chains of sectors that loop or leave the file', async () => {
    // The stream follows the header, the FAT and one sector of the directory.
    const looped = oleOf({ ...source, followers: { 3: 2, 4: 3 } })
    expect((await withOle(looped, (ole) => ole.readStream('WordDocument')))?.length).toBeLessThanOrEqual(long.length)
    const outside = oleOf({ ...source, followers: { 2: 5_000_000 } })
    expect((await withOle(outside, (ole) => ole.readStream('WordDocument')))?.length).toBe(512)
    const directory = oleOf({ ...source, followers: { 1: 1 } })
    expect(await withOle(directory, ({ names }) => names.size)).toBeGreaterThan(0)
  })

  it('reads a looped directory once', async () => {
    const bytes = oleOf(source)
    // Makes the first stream its own left sibling.
    const entry = 512 * 2 + 128
    bytes.writeUInt32LE(1, entry + 68)
    expect(await withOle(bytes, ({ names }) => [...names].length)).toBe(3)
  })

  it('rejects damaged files without trusting their sizes', async () => {
    const outcomeOf = (bytes: Uint8Array) =>
      withOle(bytes, () => 'read').catch((error: { reason: string }) => error.reason)
    expect(await outcomeOf(Buffer.alloc(600))).toBe('file-broken')
    expect(await outcomeOf(oleOf(source).subarray(0, 400))).toBe('file-broken')
    const fatCount = oleOf(source)
    fatCount.writeUInt32LE(0xfffffff0, 44)
    expect(await outcomeOf(fatCount)).toBe('read')
    const size = oleOf(source)
    size.writeUInt32LE(0xffffffff, 512 * 2 + 128 + 120)
    expect((await withOle(size, (ole) => ole.readStream('WordDocument')))?.length).toBe(4096)
    for (let index = 0; index < 1600; index += 7) {
      const changed = oleOf(source)
      changed[index] = (changed[index] ?? 0) ^ 0xff
      await outcomeOf(changed)
    }
  })
})
