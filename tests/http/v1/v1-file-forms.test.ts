import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { fileSource, multipart, multipartType, type Part, partBoundary } from '../../support/api/multipart'
import { type FileWorld, fieldsOf, sourceIn, startFileWorld } from '../../support/files/file-world'

// Invalid and hostile forms and file names over /v1. No job runs here.

let world: FileWorld
beforeAll(async () => {
  world = await startFileWorld()
})
// All tests share one collection.
beforeEach(() => world.forgetBytes())
afterAll(() => world.close())

describe('an invalid form', () => {
  const text = (name: string, content: string): Part => ({ name, content })
  const file = (filename = 'notes.txt', content = 'text'): Part => ({ name: 'file', filename, content })
  const type = text('type', 'file')
  const cases: [what: string, parts: Part[], fields: string[]][] = [
    ['no file', [type], ['file']],
    ['an empty file field', [type, file('', '')], ['file']],
    ['text in place of the file', [type, text('file', 'notes.txt')], ['file']],
    ['two files', [type, file(), file('more.txt')], ['file']],
    ['an empty file', [type, file('notes.txt', '')], ['file']],
    ['another field', [type, { ...file(), name: 'document' }], ['document']],
    ['the type of a website', [text('type', 'url'), text('url', 'https://lamps.example/'), file()], ['type']],
    ['no type', [file()], ['type']],
    ['a name that is too long', [type, file(), text('name', 'x'.repeat(65))], ['name']],
    ['patterns', [type, file(), text('include', '/docs/**')], ['include']],
    ['a plan for refreshes', [type, file(), text('refresh_interval', 'daily')], ['refresh_interval']],
    ['headers', [type, file(), text('headers', 'X-Key: 1')], ['headers']],
    ['a field with a huge name', [text('x'.repeat(100_000), '1'), type, file()], ['x'.repeat(40)]],
    ['a part without a name', [{ headers: 'content-disposition: form-data', content: '1' }, type, file()], []],
    ['100 fields', [...Array.from({ length: 100 }, (_, index) => text(`f${index}`, '')), type, file()], []],
  ]

  it.each(cases)('%s', async (_what, parts, fields) => {
    const before = [await world.onDisk(), await world.stored()]
    const response = await world.post(parts)
    expect(response.status, response.text).toBe(400)
    expect(fieldsOf(response)).toEqual(fields)
    expect([await world.onDisk(), await world.stored()]).toEqual(before)
    expect(await world.incoming()).toEqual([])
  })

  const whole = multipart(fileSource('notes.txt', 'some text'))
  const broken: [what: string, type: string, body: Buffer<ArrayBuffer>][] = [
    ['no boundary', 'multipart/form-data', whole],
    ['another boundary', 'multipart/form-data; boundary=other', whole],
    ['nothing at all', multipartType, Buffer.alloc(0)],
    ['an incomplete header', multipartType, whole.subarray(0, 60)],
    ['an incomplete file', multipartType, whole.subarray(0, whole.indexOf('text'))],
    ['no last boundary', multipartType, whole.subarray(0, whole.length - partBoundary.length - 6)],
    ['noise', multipartType, Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256))],
    ['JSON', multipartType, Buffer.from('{"type":"file"}')],
    ['a boundary of 10,000 characters', `multipart/form-data; boundary=${'x'.repeat(10_000)}`, whole],
    ['another multipart type', 'multipart/mixed; boundary=x', whole],
    ['plain bytes', 'application/octet-stream', Buffer.from('text')],
  ]
  it.each(broken)('%s', async (_what, contentType, body) => {
    const before = [await world.onDisk(), await world.stored()]
    const response = await world.send('member', 'POST', world.base, { headers: { 'content-type': contentType }, body })
    expect(response.status, response.text).toBe(400)
    expect(problemSchema.parse(response.body).message).toMatch(/^(The form cannot be read|Send the body as)/)
    expect([await world.onDisk(), await world.stored()]).toEqual(before)
    expect(await world.incoming()).toEqual([])
  })

  it('is reported for JSON without a file as well', async () => {
    const response = await world.sendJson('member', 'POST', world.base, { type: 'file', name: 'notes.txt' })
    expect(response.status).toBe(400)
    expect(problemSchema.parse(response.body).errors).toMatchObject({
      type: ['A file is sent as multipart/form-data, in the field file'],
    })
  })
})

describe('a hostile file name', () => {
  /** The stored name; null: rejected. */
  const names: [given: string, kept: string | null][] = [
    ['../../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\windows\\system32\\notes.txt', 'notes.txt'],
    ['/etc/shadow.csv', 'shadow.csv'],
    ['C:\\secrets\\key.txt', 'key.txt'],
    ['file:///etc/hosts.txt', 'hosts.txt'],
    ['....//....//notes.txt', 'notes.txt'],
    ['%2e%2e%2fnotes.txt', '%2e%2e%2fnotes.txt'],
    ['%00.txt', '%00.txt'],
    ['a\u0000.txt', 'a.txt'],
    ['a.exe\u0000.txt', 'a.exe.txt'],
    ['a.txt\u0000.exe', null],
    ['\u202etxt.exe', null],
    ['exe.\u202etxt', 'exe.txt'],
    ['a\u2066b\u2069.txt', 'ab.txt'],
    ['a\u200bb\u2060\u00ad.txt', 'ab.txt'],
    ['a.txt\u{e002e}\u{e0065}', 'a.txt'],
    ['a\u001b[31m.txt', 'a[31m.txt'],
    ['a\u0007\u0008.txt', 'a.txt'],
    ['CON.txt', 'CON.txt'],
    ['nul.pdf', 'nul.pdf'],
    ['aux', null],
    ['LPT1.csv.', null],
    ['.', null],
    ['..', null],
    ['...', null],
    ['.htaccess', null],
    ['.txt', '.txt'],
    ['notes.txt ', 'notes.txt'],
    ['   .txt', '.txt'],
    ['notes', null],
    ['notes.php', null],
    ['notes.txt.php', null],
    ['notes.svg', null],
    ['notes.TXT', 'notes.TXT'],
    [`${'x'.repeat(10_000)}.txt`, null],
    [`${'💡'.repeat(200)}.txt`, null],
    ['💡🕯️.txt', '💡🕯️.txt'],
    ['灯.csv', '灯.csv'],
    ["'; drop table files; --.txt", "'; drop table files; --.txt"],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ['$(rm -rf ~).txt', '$(rm -rf ~).txt'],
    ['-rf.txt', '-rf.txt'],
    ['__proto__.txt', '__proto__.txt'],
    ['a;b=c.txt', 'a;b=c.txt'],
  ]

  it.each(names)('%j', async (input, kept) => {
    const before = await world.onDisk()
    const response = await world.post(fileSource(input, 'some text'))
    expect(await world.incoming()).toEqual([])
    if (kept === null) {
      expect(response.status, response.text).toBe(400)
      expect(fieldsOf(response)).toEqual(['file'])
      expect(await world.onDisk()).toEqual(before)
      return
    }
    expect(response.status, response.text).toBe(201)
    const source = sourceIn(response)
    expect([source.file_name, source.name]).toEqual([kept, kept.slice(0, 64)])
    const added = (await world.onDisk()).filter((name) => !before.includes(name))
    expect(added).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
    const sent = await world.download(source.id)
    expect(sent.status).toBe(200)
    expect(
      decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(sent.headers.get('content-disposition') ?? '')?.[1] ?? ''),
    ).toBe(kept)
  })
})
