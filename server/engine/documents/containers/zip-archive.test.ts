import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ZipEntry, zipOf } from '../../../../tests/support/zip'
import type { RefusedFile } from '../format/unreadable-file'
import { openZip } from './zip-archive'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Bytes that the last read has given before its end. */
let given = 0

async function readAll(bytes: Uint8Array, name?: string): Promise<string> {
  const path = join(folder, 'archive.zip')
  await writeFile(path, bytes)
  const archive = await openZip(path)
  try {
    const pieces: Uint8Array[] = []
    given = 0
    for await (const piece of archive.read(name ?? archive.names[0] ?? '')) {
      pieces.push(piece)
      given += piece.length
    }
    return Buffer.concat(pieces).toString()
  } finally {
    archive.close()
  }
}

function refusalOf(bytes: Uint8Array, name?: string): Promise<string> {
  return readAll(bytes, name).then(
    () => 'read',
    (error: RefusedFile) => error.reason,
  )
}

const mebibyte = 1024 * 1024
const plain: ZipEntry = { name: 'a.txt', content: 'hello' }

describe('zip archives', () => {
  it('are read entry by entry, deflated or stored', async () => {
    const bytes = zipOf([plain, { name: 'b/c.xml', content: 'world', stored: true }])
    expect(await readAll(bytes, 'a.txt')).toBe('hello')
    expect(await readAll(bytes, 'b/c.xml')).toBe('world')
  })

  it('name their entries in one way, whatever wrote them', async () => {
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

  it('may have names that lead elsewhere, which lead nowhere here', async () => {
    expect(await readAll(zipOf([{ name: '../../etc/passwd', content: 'x' }]))).toBe('x')
  })

  it('may have a comment, and bytes behind their end', async () => {
    const bytes = zipOf([plain], { comment: 'by hand' })
    expect(await readAll(bytes)).toBe('hello')
    expect(await readAll(Buffer.concat([bytes, Buffer.from('\r\n')]))).toBe('hello')
  })

  it('are refused where they are damaged', async () => {
    const whole = zipOf([{ name: 'a', content: 'hello '.repeat(1000) }])
    expect(await refusalOf(new Uint8Array())).toBe('file-broken')
    expect(await refusalOf(Buffer.from('PK\x03\x04'))).toBe('file-broken')
    expect(await refusalOf(whole.subarray(0, whole.length - 30))).toBe('file-broken')
    expect(await refusalOf(whole, 'missing')).toBe('file-broken')
    const flipped = Buffer.from(whole)
    flipped.fill(0xff, 31, 40)
    expect(await refusalOf(flipped)).toBe('file-broken')
    expect(await refusalOf(zipOf([{ ...plain, says: { offset: 70_000 } }]))).toBe('file-broken')
    expect(await refusalOf(zipOf([{ ...plain, says: { method: 14 } }]))).toBe('file-broken')
  })

  it('are refused where an entry has a password', async () => {
    expect(await refusalOf(zipOf([{ ...plain, says: { flags: 1 } }]))).toBe('file-encrypted')
  })

  it('have at most 2,000 entries, whatever they are', async () => {
    const entries = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}`, content: '' }))
    expect(await refusalOf(zipOf(entries(2_001)))).toBe('file-too-complex')
    expect(await refusalOf(zipOf(entries(2_000)))).toBe('read')
    // The directory counts up to 65,535, and more of them break it off.
    expect(await refusalOf(zipOf([plain], { count: 60_000 }))).toBe('file-too-complex')
  })

  it('unpack to at most 256 MiB in sum', async () => {
    const half = 128 * mebibyte
    const noise = Buffer.alloc(3 * mebibyte, 'a')
    const large = { content: noise, stored: true, says: { unpacked: half } }
    expect(await refusalOf(zipOf([{ name: 'a', ...large }, { name: 'b', ...large }, plain]))).toBe('file-too-complex')
  })

  it('unpack to at most 100 times their size, where that is more than 1 MiB', async () => {
    expect(await refusalOf(zipOf([{ name: 'a', content: 'a'.repeat(mebibyte) }]))).toBe('read')
    expect(await refusalOf(zipOf([{ name: 'a', content: 'a'.repeat(mebibyte + 1) }]))).toBe('file-too-complex')
    // Beside an entry that does not shrink, the archive as a whole is within the ratio.
    const beside = { name: 'b', content: Buffer.alloc(mebibyte), stored: true }
    const mixed = zipOf([{ name: 'a', content: 'a'.repeat(3 * mebibyte) }, beside])
    expect(await refusalOf(mixed, 'a')).toBe('file-too-complex')
    expect(await refusalOf(mixed, 'b')).toBe('read')
  })

  it('cannot hand out one piece of the file under many names without that being counted', async () => {
    const content = 'a'.repeat(900_000)
    const entries = Array.from({ length: 1000 }, (_, at): ZipEntry => {
      if (at === 0) return { name: '0', content }
      return { name: `${at}`, content: '', says: { offset: 0, packed: 900, unpacked: content.length } }
    })
    expect(await refusalOf(zipOf(entries))).toBe('file-too-complex')
  })

  it('are read no further than the directory says', async () => {
    const content = 'a'.repeat(50 * mebibyte)
    expect(await refusalOf(zipOf([{ name: 'a', content, says: { unpacked: 1000 } }]))).toBe('file-broken')
    expect(given).toBe(0)
    expect(await refusalOf(zipOf([{ ...plain, says: { unpacked: 6 } }]))).toBe('file-broken')
  })

  it('that are not there are a failure of the machine', async () => {
    await expect(openZip(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
