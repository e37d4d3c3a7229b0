import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ZipEntry, zipOf } from '../../../../tests/support/files/zip'
import type { UnreadableFile } from '../format/unreadable-file'
import { openZip } from './zip-archive'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Bytes that the last read yielded. */
let bytesRead = 0

async function readAll(bytes: Uint8Array, name?: string): Promise<string> {
  const path = join(folder, 'archive.zip')
  await writeFile(path, bytes)
  const archive = await openZip(path)
  try {
    const chunks: Uint8Array[] = []
    bytesRead = 0
    for await (const chunk of archive.read(name ?? archive.names[0] ?? '')) {
      chunks.push(chunk)
      bytesRead += chunk.length
    }
    return Buffer.concat(chunks).toString()
  } finally {
    archive.close()
  }
}

function outcomeOf(bytes: Uint8Array, name?: string): Promise<string> {
  return readAll(bytes, name).then(
    () => 'read',
    (error: UnreadableFile) => error.reason,
  )
}

const mebibyte = 1024 * 1024
const plain: ZipEntry = { name: 'a.txt', content: 'hello' }

describe('openZip', () => {
  it('reads entries, deflated or stored', async () => {
    const bytes = zipOf([plain, { name: 'b/c.xml', content: 'world', stored: true }])
    expect(await readAll(bytes, 'a.txt')).toBe('hello')
    expect(await readAll(bytes, 'b/c.xml')).toBe('world')
  })

  it('normalizes the names of entries', async () => {
    const path = join(folder, 'names.zip')
    await writeFile(
      path,
      zipOf([
        { name: '\\word\\Document.xml', content: 'x' },
        { name: 'word/', content: '' },
      ]),
    )
    const archive = await openZip(path)
    archive.close()
    expect(archive.names).toEqual(['word/Document.xml'])
    expect(archive.find('Word/document.xml')).toBe('word/Document.xml')
    expect(archive.find('word')).toBe(null)
  })

  it('never writes, so names with .. are harmless', async () => {
    expect(await readAll(zipOf([{ name: '../../etc/passwd', content: 'x' }]))).toBe('x')
  })

  it('reads archives with a comment or trailing bytes', async () => {
    const bytes = zipOf([plain], { comment: 'by hand' })
    expect(await readAll(bytes)).toBe('hello')
    expect(await readAll(Buffer.concat([bytes, Buffer.from('\r\n')]))).toBe('hello')
  })

  it('rejects damaged archives', async () => {
    const bytes = zipOf([{ name: 'a', content: 'hello '.repeat(1000) }])
    expect(await outcomeOf(new Uint8Array())).toBe('file-broken')
    expect(await outcomeOf(Buffer.from('PK\x03\x04'))).toBe('file-broken')
    expect(await outcomeOf(bytes.subarray(0, bytes.length - 30))).toBe('file-broken')
    expect(await outcomeOf(bytes, 'missing')).toBe('file-broken')
    const flipped = Buffer.from(bytes)
    flipped.fill(0xff, 31, 40)
    expect(await outcomeOf(flipped)).toBe('file-broken')
    expect(await outcomeOf(zipOf([{ ...plain, says: { offset: 70_000 } }]))).toBe('file-broken')
    expect(await outcomeOf(zipOf([{ ...plain, says: { method: 14 } }]))).toBe('file-broken')
  })

  it('rejects encrypted entries', async () => {
    expect(await outcomeOf(zipOf([{ ...plain, says: { flags: 1 } }]))).toBe('file-encrypted')
  })

  it('rejects more than 2,000 entries', async () => {
    const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}`, content: '' }))
    expect(await outcomeOf(zipOf(entries(2_001)))).toBe('file-too-complex')
    expect(await outcomeOf(zipOf(entries(2_000)))).toBe('read')
    // The directory's count is 16 bits; a wrong count ends the reading, too.
    expect(await outcomeOf(zipOf([plain], { count: 60_000 }))).toBe('file-too-complex')
  })

  it('rejects archives that unpack to more than 256 MiB', async () => {
    const half = 128 * mebibyte
    const noise = Buffer.alloc(3 * mebibyte, 'a')
    const large = { content: noise, stored: true, says: { unpacked: half } }
    expect(await outcomeOf(zipOf([{ name: 'a', ...large }, { name: 'b', ...large }, plain]))).toBe('file-too-complex')
  })

  it('rejects entries over 1 MiB that unpack to more than 100 times their size', async () => {
    expect(await outcomeOf(zipOf([{ name: 'a', content: 'a'.repeat(mebibyte) }]))).toBe('read')
    expect(await outcomeOf(zipOf([{ name: 'a', content: 'a'.repeat(mebibyte + 1) }]))).toBe('file-too-complex')
    // Together with an incompressible entry, the archive itself is within the ratio.
    const incompressible = { name: 'b', content: Buffer.alloc(mebibyte), stored: true }
    const mixed = zipOf([{ name: 'a', content: 'a'.repeat(3 * mebibyte) }, incompressible])
    expect(await outcomeOf(mixed, 'a')).toBe('file-too-complex')
    expect(await outcomeOf(mixed, 'b')).toBe('read')
  })

  it('counts data that many entries share', async () => {
    const content = 'a'.repeat(900_000)
    const entries = Array.from({ length: 1000 }, (_, index): ZipEntry => {
      if (index === 0) return { name: '0', content }
      return { name: `${index}`, content: '', says: { offset: 0, packed: 900, unpacked: content.length } }
    })
    expect(await outcomeOf(zipOf(entries))).toBe('file-too-complex')
  })

  it('stops an entry at the size in the directory', async () => {
    const content = 'a'.repeat(50 * mebibyte)
    expect(await outcomeOf(zipOf([{ name: 'a', content, says: { unpacked: 1000 } }]))).toBe('file-broken')
    expect(bytesRead).toBe(0)
    expect(await outcomeOf(zipOf([{ ...plain, says: { unpacked: 6 } }]))).toBe('file-broken')
  })

  it('throws for a missing file', async () => {
    await expect(openZip(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
