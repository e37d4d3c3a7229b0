import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileType } from '../../../contract/sources/file'
import { docOf } from '../../../tests/support/files/doc'
import { docxOf, paragraphOf } from '../../../tests/support/files/docx'
import { collect } from '../../../tests/support/files/file-parts'
import { oleOf } from '../../../tests/support/files/ole'
import { zipOf } from '../../../tests/support/files/zip'
import { readFileParts } from './read-file'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-file-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function outcomeOf(type: FileType, content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'file')
  await writeFile(path, content)
  const { refused, blocks } = await collect(readFileParts({ path, type, name: `file.${type}` }))
  return refused ?? blocks.map((block) => block.text).join('\n')
}

const docx = docxOf({ body: paragraphOf('hello') })
const doc = docOf({ paragraphs: [{ text: 'hello\r' }] })
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
const xlsx = zipOf([{ name: '[Content_Types].xml', content: `<Types><Override ContentType="${sheetTypes}"/></Types>` }])
const protectedArchive = oleOf({ streams: { EncryptedPackage: Buffer.alloc(100), EncryptionInfo: Buffer.alloc(100) } })
const rtf = '{\\rtf1\\ansi hello}'

describe('readFileParts', () => {
  it('reads files by their type', async () => {
    expect(await outcomeOf('docx', docx)).toBe('hello')
    expect(await outcomeOf('doc', doc)).toBe('hello')
    expect(await outcomeOf('txt', 'hello')).toBe('hello')
    expect(await outcomeOf('csv', 'name\nhello')).toContain('hello')
  })

  it('refuses files without text', async () => {
    for (const type of ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const) {
      expect(await outcomeOf(type, '')).toBe('file-empty')
    }
    expect(await outcomeOf('docx', docxOf({ body: paragraphOf(' ') }))).toBe('file-empty')
    expect(await outcomeOf('doc', docOf({ paragraphs: [{ text: '\r' }] }))).toBe('file-empty')
    expect(await outcomeOf('txt', ' \n ')).toBe('file-empty')
  })

  it('refuses files over 64 MB without reading them', async () => {
    const path = join(folder, 'large.txt')
    await writeFile(path, 'hello')
    await truncate(path, 64 * 1024 * 1024 + 1)
    expect(await collect(readFileParts({ path, type: 'txt', name: 'large.txt' }))).toMatchObject({
      blocks: [],
      refused: 'file-too-large',
    })
  })

  it('throws for a missing file', async () => {
    const parts = readFileParts({ path: join(folder, 'none'), type: 'txt', name: 'none.txt' })
    await expect(collect(parts)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('file types', () => {
  it('have to match in name and content', async () => {
    const contents: [string | Uint8Array, FileType[]][] = [
      [docx, ['docx']],
      [doc, ['doc']],
      [xlsx, ['xlsx']],
      [rtf, []],
      ['<html><body>hello</body></html>', ['txt', 'csv']],
      ['%PDF-1.4\n', ['pdf']],
      ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', []],
      [zipOf([{ name: 'a.txt', content: 'hello' }]), []],
      [oleOf({ streams: { Other: Buffer.from('x') } }), []],
    ]
    for (const [content, types] of contents) {
      for (const type of ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const) {
        const outcome = await outcomeOf(type, typeof content === 'string' ? Buffer.from(content, 'latin1') : content)
        const expected = types.includes(type) ? expect.not.stringMatching('file-mismatch') : 'file-mismatch'
        expect(outcome, `${String(content.slice(0, 10))} as ${type}`).toEqual(expected)
      }
    }
  })

  it('are detected at the start of a file', async () => {
    const pdfInComment = zipOf([{ name: 'word/document.xml', content: '<a/>' }], { comment: '%PDF-1.4' })
    expect(await outcomeOf('pdf', pdfInComment)).toBe('file-mismatch')
    expect(await outcomeOf('docx', Buffer.concat([Buffer.from('%PDF-1.4\n'), docx]))).toBe('file-mismatch')
    expect(await outcomeOf('docx', Buffer.concat([Buffer.from('MZ'), docx]))).toBe('file-mismatch')
    expect(await outcomeOf('txt', docx)).toBe('file-mismatch')
    expect(await outcomeOf('csv', doc)).toBe('file-mismatch')
  })

  it('detects archives without content types by their parts', async () => {
    const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const content = `<w:document xmlns:w="${main}">${paragraphOf('hello')}</w:document>`
    expect(await outcomeOf('docx', zipOf([{ name: 'word/document.xml', content }]))).toBe('hello')
  })

  it('are detected in encrypted files', async () => {
    expect(await outcomeOf('docx', protectedArchive)).toBe('file-encrypted')
    expect(await outcomeOf('xlsx', protectedArchive)).toBe('file-encrypted')
    expect(await outcomeOf('doc', protectedArchive)).toBe('file-mismatch')
    expect(await outcomeOf('doc', docOf({ paragraphs: [{ text: 'x\r' }], flags: 0x0100 }))).toBe('file-encrypted')
  })

  it('are not detected in damaged archives', async () => {
    expect(await outcomeOf('docx', docx.subarray(0, 300))).toBe('file-broken')
    expect(await outcomeOf('xlsx', docx.subarray(0, 300))).toBe('file-broken')
    expect(await outcomeOf('doc', doc.subarray(0, 300))).toBe('file-broken')
    expect(await outcomeOf('doc', await readFile('tests/fixtures/files/simple-table.doc'))).toContain('Cell 1,1')
  })
})
