import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { largestFile } from '../../contract/file'
import type { SourceView } from '../../contract/source'
import { runs, sources } from '../../db/schema/collections'
import { files } from '../../db/schema/files'
import { jobs } from '../../db/schema/jobs'
import { organizations } from '../../db/schema/organizations'
import { problem } from '../support/api-shapes'
import { type ApiAnswer, type ApiWorld, type Caller, startApiWorld } from '../support/api-world'
import { fileSource, multipart, multipartType, type Part, partBoundary } from '../support/multipart'

// The way of a file over /v1. Nobody runs the jobs here.

let world: ApiWorld
let base: string
let folder: string

beforeAll(async () => {
  world = await startApiWorld()
  base = `/v1/${world.own.organization}/sources/${world.own.collection}`
  folder = join(world.app.config.dataDir, 'files')
  await setPlan('unlimited')
})
// All tests share one collection, which takes the same bytes only once.
beforeEach(() => world.app.db.write((tx) => tx.update(files).set({ sha256: files.id })))
afterAll(() => world.close())

const setPlan = (plan: 'free' | 'unlimited', id = world.own.organization) =>
  world.app.db.write((tx) => tx.update(organizations).set({ plan }).where(eq(organizations.id, id)))

const sendParts = (method: string, path: string, body: BodyInit, caller: Caller = 'member') =>
  world.send(caller, method, base + path, { headers: { 'content-type': multipartType }, body })
const post = (parts: Part[], caller: Caller = 'member') => sendParts('POST', '', multipart(parts), caller)
const put = (id: string, parts: Part[]) => sendParts('PUT', `/${id}`, multipart(parts))

const sourceIn = ({ body, text }: ApiAnswer): SourceView => {
  const { source } = body as { source?: SourceView }
  if (!source) throw new Error(text)
  return source
}
const upload = async (name: string, content: string) => sourceIn(await post(fileSource(name, content)))
const download = (id: string, caller: Caller = 'viewer') => world.send(caller, 'GET', `${base}/${id}/file`)
const rest = (id: string) =>
  world.app.db.write(async (tx) => {
    await tx.update(sources).set({ status: 'idle' }).where(eq(sources.id, id))
    await tx.update(runs).set({ finishedAt: new Date() }).where(eq(runs.sourceId, id))
    await tx.delete(jobs).where(eq(jobs.onlyOnce, `crawl-source:${id}`))
  })
const stored = async () => (await readdir(folder).catch(() => [])).filter((name) => name !== 'incoming').sort()
const incoming = () => readdir(join(folder, 'incoming')).catch(() => [])
const fieldsOf = ({ body }: ApiAnswer) => Object.keys(problem.parse(body).errors ?? {})

describe('an upload', () => {
  it('becomes a source of its own, which is put in line', async () => {
    const answer = await post([
      { name: 'name', content: 'Prices' },
      { name: 'status', content: 'new' },
      ...fileSource('Preise für Lampen.csv', 'lamp,price\nStorm 40,12\n'),
    ])
    expect(answer.status, answer.text).toBe(201)
    const source = sourceIn(answer)
    expect(source).toMatchObject({
      type: 'file',
      name: 'Prices',
      status: 'processing',
      url: null,
      file_name: 'Preise für Lampen.csv',
      file: { type: 'csv', bytes: 23 },
      refresh_due_at: null,
      options: { refresh_interval: 'never', include: [] },
      last_run: { kind: 'full', finished_at: null },
    })
    const file = await world.app.files.find(source.id)
    expect(file).toMatchObject({ name: 'Preise für Lampen.csv', type: 'csv', sha256: source.file?.sha256 })
    expect(await readFile(file?.path ?? '', 'utf8')).toBe('lamp,price\nStorm 40,12\n')
    const waiting = await world.app.db.read
      .select()
      .from(jobs)
      .where(eq(jobs.onlyOnce, `crawl-source:${source.id}`))
    expect(waiting).toMatchObject([{ kind: 'crawl-source', payload: { sourceId: source.id } }])
    expect(await incoming()).toEqual([])
  })

  it('may stand before its fields, and takes its name from the file where none is given', async () => {
    const long = `${'lamp '.repeat(20)}.txt`
    const [type, file] = fileSource(long, 'text')
    const source = sourceIn(await post([file, type].filter((part) => part !== undefined)))
    expect(source).toMatchObject({ name: long.slice(0, 64), file_name: long })
    const named = sourceIn(await post([...fileSource('notes.txt', 'other text'), { name: 'name', content: ' Notes ' }]))
    expect(named.name).toBe('Notes')
  })

  it('comes from a client of its own accord as well', async () => {
    const form = new FormData()
    form.set('type', 'file')
    form.set('file', new File(['a text'], 'höhe "1".txt', { type: 'text/plain' }))
    const answer = await world.send('admin', 'POST', base, { body: form })
    expect(answer.status, answer.text).toBe(201)
    expect(sourceIn(answer).file_name).toBe('höhe %221%22.txt')
  })

  it('shares its route with addresses, as a form in parts or as JSON', async () => {
    const parts = [
      { name: 'type', content: 'url' },
      { name: 'url', content: 'https://lamps.example/parts' },
      { name: 'file', filename: '', content: '' },
    ]
    expect(sourceIn(await post(parts))).toMatchObject({ type: 'url', url: 'https://lamps.example/parts', file: null })
    const answer = await world.sendJson('member', 'POST', base, { type: 'url', url: 'https://lamps.example/json' })
    expect(answer.status).toBe(201)
  })

  it.each<[Caller, number]>([
    ['guest', 401],
    ['stranger', 404],
    ['viewer', 403],
  ])('of a %s is refused, and nothing is stored', async (caller, status) => {
    const before = await stored()
    expect((await post(fileSource('notes.txt', 'text'), caller)).status).toBe(status)
    expect(await stored()).toEqual(before)
    expect(await incoming()).toEqual([])
  })

  it('into a collection that is not there is refused', async () => {
    const path = `/v1/${world.own.organization}/sources/${world.foreign.collection}`
    const init = { headers: { 'content-type': multipartType }, body: multipart(fileSource('notes.txt', 'text')) }
    expect((await world.send('member', 'POST', path, init)).status).toBe(404)
    expect(await incoming()).toEqual([])
  })
})

describe('a form that is wrong', () => {
  const text = (name: string, content: string): Part => ({ name, content })
  const file = (filename = 'notes.txt', content = 'text'): Part => ({ name: 'file', filename, content })
  const type = text('type', 'file')
  const cases: [what: string, parts: Part[], fields: string[]][] = [
    ['no file', [type], ['file']],
    ['an empty field for a file', [type, file('', '')], ['file']],
    ['a text in place of the file', [type, text('file', 'notes.txt')], ['file']],
    ['two files', [type, file(), file('more.txt')], ['file']],
    ['an empty file', [type, file('notes.txt', '')], ['file']],
    ['another field', [type, { ...file(), name: 'document' }], ['document']],
    ['the type of a site', [text('type', 'url'), text('url', 'https://lamps.example/'), file()], ['type']],
    ['no type', [file()], ['type']],
    ['a name that is too long', [type, file(), text('name', 'x'.repeat(65))], ['name']],
    ['patterns', [type, file(), text('include', '/docs/**')], ['include']],
    ['a plan for refreshes', [type, file(), text('refresh_interval', 'daily')], ['refresh_interval']],
    ['headers', [type, file(), text('headers', 'X-Key: 1')], ['headers']],
    ['a field with a huge name', [text('x'.repeat(100_000), '1'), type, file()], ['x'.repeat(40)]],
    ['a part without a name', [{ headers: 'content-disposition: form-data', content: '1' }, type, file()], []],
    ['100 fields', [...Array.from({ length: 100 }, (_, at) => text(`f${at}`, '')), type, file()], []],
  ]

  it.each(cases)('%s', async (_what, parts, fields) => {
    const before = [await stored(), await world.stored()]
    const answer = await post(parts)
    expect(answer.status, answer.text).toBe(400)
    expect(fieldsOf(answer)).toEqual(fields)
    expect([await stored(), await world.stored()]).toEqual(before)
    expect(await incoming()).toEqual([])
  })

  const whole = multipart(fileSource('notes.txt', 'some text'))
  const broken: [what: string, type: string, body: Buffer<ArrayBuffer>][] = [
    ['no boundary', 'multipart/form-data', whole],
    ['another boundary', 'multipart/form-data; boundary=other', whole],
    ['nothing at all', multipartType, Buffer.alloc(0)],
    ['half a header', multipartType, whole.subarray(0, 60)],
    ['half a file', multipartType, whole.subarray(0, whole.indexOf('text'))],
    ['no last boundary', multipartType, whole.subarray(0, whole.length - partBoundary.length - 6)],
    ['noise', multipartType, Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256))],
    ['JSON', multipartType, Buffer.from('{"type":"file"}')],
    ['a boundary of 10,000 characters', `multipart/form-data; boundary=${'x'.repeat(10_000)}`, whole],
    ['a form of another kind', 'multipart/mixed; boundary=x', whole],
    ['bytes alone', 'application/octet-stream', Buffer.from('text')],
  ]
  it.each(broken)('%s', async (_what, contentType, body) => {
    const before = [await stored(), await world.stored()]
    const answer = await world.send('member', 'POST', base, { headers: { 'content-type': contentType }, body })
    expect(answer.status, answer.text).toBe(400)
    expect(problem.parse(answer.body).message).toMatch(/^(The form cannot be read|Send the body as)/)
    expect([await stored(), await world.stored()]).toEqual(before)
    expect(await incoming()).toEqual([])
  })

  it('is told by JSON without a file, too', async () => {
    const answer = await world.sendJson('member', 'POST', base, { type: 'file', name: 'notes.txt' })
    expect(answer.status).toBe(400)
    expect(problem.parse(answer.body).errors).toMatchObject({
      type: ['A file is sent as multipart/form-data, in the field file'],
    })
  })
})

describe('a hostile name', () => {
  /** What it is kept as; null: refused. */
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

  it.each(names)('%j', async (given, kept) => {
    const before = await stored()
    const answer = await post(fileSource(given, 'some text'))
    expect(await incoming()).toEqual([])
    if (kept === null) {
      expect(answer.status, answer.text).toBe(400)
      expect(fieldsOf(answer)).toEqual(['file'])
      expect(await stored()).toEqual(before)
      return
    }
    expect(answer.status, answer.text).toBe(201)
    const source = sourceIn(answer)
    expect([source.file_name, source.name]).toEqual([kept, kept.slice(0, 64)])
    const added = (await stored()).filter((name) => !before.includes(name))
    expect(added).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
    const sent = await download(source.id)
    expect(sent.status).toBe(200)
    expect(
      decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(sent.headers.get('content-disposition') ?? '')?.[1] ?? ''),
    ).toBe(kept)
  })
})

describe('what is too much', () => {
  const tooLarge = {
    code: 'too_large',
    title: "Cannot upload file, it's too big",
    message: 'Try uploading a file that is smaller than 64 MB!',
    errors: { file: ['Try uploading a file that is smaller than 64 MB!'] },
  }

  /** A body of so many bytes, which is not in memory at once. */
  function endless(bytes: number): ReadableStream<Uint8Array> {
    const head = multipart(fileSource('large.txt', '')).subarray(0, -partBoundary.length - 8)
    let left = bytes
    return new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(head)),
      pull(controller) {
        if (left <= 0) return controller.close()
        controller.enqueue(new Uint8Array(Math.min(left, 1024 * 1024)))
        left -= 1024 * 1024
      },
    })
  }

  it('is refused while it comes', async () => {
    const init = {
      headers: { 'content-type': multipartType },
      body: endless(largestFile + 8 * 1024 * 1024),
      duplex: 'half',
    }
    const answer = await world.send('member', 'POST', base, init)
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject(tooLarge)
    expect(await incoming()).toEqual([])
  })

  it('is refused at once where its length is announced', async () => {
    const body = new Uint8Array(largestFile + 3 * 1024 * 1024)
    const before = performance.now()
    const answer = await sendParts('POST', '', body)
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject(tooLarge)
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('of fields is refused as in other bodies', async () => {
    const many = Array.from({ length: 3 }, (_, at) => ({ name: `f${at}`, content: 'x'.repeat(500_000) }))
    const answer = await post([...many, ...fileSource('notes.txt', 'text')])
    expect([answer.status, problem.parse(answer.body).message]).toEqual([413, 'The body may have at most 1 MiB.'])
  })

  it('for the plan is refused, and what is deleted makes room again', async () => {
    const { organization, collection } = world.foreign
    const path = `/v1/${organization}/sources/${collection}`
    const send = (name: string, bytes: number) => {
      const body = multipart(fileSource(name, 'x'.repeat(bytes)))
      return world.send('stranger', 'POST', path, { headers: { 'content-type': multipartType }, body })
    }
    const used = async () => {
      const answer = await world.send('stranger', 'GET', `/v1/organizations/${organization}/currentUsage`)
      return (answer.body as { usage: { storage: number } }).usage.storage
    }
    await setPlan('free', organization)
    const before = await used()
    const { id } = sourceIn(await send('counted.txt', 1_000))
    expect(await used()).toBe(before + 1_000)
    const nearlyAll = { bytes: 512 * 1024 * 1024 - before - 100 }
    await world.app.db.write((tx) => tx.update(files).set(nearlyAll).where(eq(files.sourceId, id)))
    expect(sourceIn(await send('fits.txt', 100)).file).toMatchObject({ bytes: 100 })
    const there = await stored()
    const refused = await send('over.txt', 1)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      title: 'usage limit reached',
      message: 'Your plan allows 512 MB of files. Delete a file, or ask for a larger plan.',
    })
    expect(await stored()).toEqual(there)
    expect((await world.send('stranger', 'DELETE', `${path}/${id}`)).status).toBe(204)
    expect(await used()).toBe(before + 100)
    expect((await send('over.txt', 1)).status).toBe(201)
  })

  it('of several at once is refused, too: two do not share one place', async () => {
    const { organization, collection } = world.foreign
    const path = `/v1/${organization}/sources/${collection}`
    const [some] = await world.app.db.read.select().from(files).where(eq(files.name, 'fits.txt'))
    const left = { bytes: 512 * 1024 * 1024 - 1_500 }
    await world.app.db.write((tx) =>
      tx
        .update(files)
        .set(left)
        .where(eq(files.id, some?.id ?? '')),
    )
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => {
        const body = multipart(fileSource('many.txt', String(at).repeat(400)))
        return world.send('stranger', 'POST', path, { headers: { 'content-type': multipartType }, body })
      }),
    )
    const taken = answers.filter(({ status }) => status === 201).length
    expect(taken).toBe(3)
    expect(await incoming()).toEqual([])
  })
})

describe('the same bytes in one collection', () => {
  it('are refused with the name of the source that has them, under whatever name', async () => {
    await upload('first.txt', 'the same')
    const before = await stored()
    const again = await post(fileSource('copy.txt', 'the same'))
    const message = 'This collection has this file already, as "first.txt".'
    expect([again.status, again.body]).toMatchObject([409, { code: 'conflict', message, errors: { file: [message] } }])
    expect([await stored(), await incoming()]).toEqual([before, []])
    expect((await upload('first.txt', 'not the same')).name).toBe('first.txt')
  })
})

describe('a new file for a source', () => {
  it('takes the place of the one before, and starts a run', async () => {
    const source = await upload('first.txt', 'first')
    const before = (await world.app.files.find(source.id))?.path ?? ''
    await rest(source.id)
    const answer = await put(source.id, [{ name: 'file', filename: 'second.csv', content: 'second,file' }])
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ success: true })
    expect(sourceIn(answer)).toMatchObject({
      id: source.id,
      name: 'first.txt',
      file_name: 'second.csv',
      file: { type: 'csv', bytes: 11 },
      status: 'processing',
    })
    await expect(stat(before)).rejects.toThrow('ENOENT')
    expect((await download(source.id)).text).toBe('second,file')
    const { body } = await world.send('viewer', 'GET', `${base}/${source.id}/runs`)
    expect(body).toMatchObject({ runs: { total: 2 } })
    expect(await incoming()).toEqual([])
  })

  it('may bring a new name, and the name may change without a file', async () => {
    const { id } = await upload('first.txt', 'first')
    await rest(id)
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    expect(sourceIn(await put(id, [file, { name: 'name', content: 'Second' }])).name).toBe('Second')
    expect(sourceIn(await put(id, [{ name: 'name', content: 'Third' }]))).toMatchObject({
      name: 'Third',
      file_name: 'second.txt',
    })
    const answer = await world.sendJson('member', 'PUT', `${base}/${id}`, { name: 'Fourth' })
    expect(sourceIn(answer).name).toBe('Fourth')
    const refused = await world.sendJson('member', 'PUT', `${base}/${id}`, { max_pages: 7 })
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['max_pages']])
  })

  it('is refused while the source is at work or held, and the file stays', async () => {
    const { id } = await upload('first.txt', 'first')
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    const refused = await put(id, [file])
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'conflict', title: 'Failed to replace the file' })
    expect((await world.send('member', 'POST', `${base}/${id}/pause`)).status).toBe(200)
    expect((await put(id, [file])).status).toBe(409)
    expect((await download(id)).text).toBe('first')
    expect(await incoming()).toEqual([])
  })

  it('is refused for a source that is read from a site, and where it is wrong the old one stays', async () => {
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    const ofSite = await put(world.own.source, [file])
    expect([ofSite.status, fieldsOf(ofSite)]).toEqual([400, ['file']])
    const { id } = await upload('first.txt', 'first')
    await rest(id)
    const wrong = await put(id, [{ ...file, filename: 'second.png' }])
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['file']])
    const options = await put(id, [file, { name: 'pace_ms', content: '100' }])
    expect([options.status, fieldsOf(options)]).toEqual([400, ['pace_ms']])
    expect((await download(id)).text).toBe('first')
    expect(sourceIn(await world.send('viewer', 'GET', `${base}/${id}`)).status).toBe('idle')
  })
})

describe('the original', () => {
  it('is saved by members under its name, and never shown', async () => {
    const { id } = await upload('Übersicht "1".csv', 'lamp,price')
    for (const caller of ['viewer', 'member', 'admin'] as const) {
      const { status, headers, text } = await download(id, caller)
      expect([status, text]).toEqual([200, 'lamp,price'])
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="_bersicht _221_22.csv"; filename*=UTF-8''%C3%9Cbersicht%20%25221%2522.csv`,
      )
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-length')).toBe('10')
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('content-encoding')).toBeNull()
    }
    const head = await world.send('viewer', 'HEAD', `${base}/${id}/file`)
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
  })

  it('is not there for strangers, for other sources, and after it is deleted', async () => {
    const { id } = await upload('notes.txt', 'text')
    const missing = await download('nothing')
    expect(missing.status).toBe(404)
    const answers = [
      await download(id, 'stranger'),
      await download(id, 'platform'),
      await download(world.own.source),
      await world.send('viewer', 'GET', `${base.replace(world.own.collection, world.sibling.collection)}/${id}/file`),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect({ ...problem.parse(body), instance: '' }).toEqual({ ...problem.parse(missing.body), instance: '' })
    }
    expect((await download(id, 'guest')).status).toBe(401)
    expect((await world.send('member', 'DELETE', `${base}/${id}`)).status).toBe(204)
    expect((await download(id)).status).toBe(404)
  })

  it('that lost its bytes says so', async () => {
    const { id } = await upload('notes.txt', 'text')
    await rm((await world.app.files.find(id))?.path ?? '')
    const { status, body } = await download(id)
    expect([status, problem.parse(body).message]).toEqual([503, 'The file is missing on this server. Upload it again.'])
  })
})

describe('what is deleted', () => {
  it('takes its bytes along: a source, a collection', async () => {
    const one = await upload('one.txt', 'one')
    const path = (await world.app.files.find(one.id))?.path ?? ''
    await world.send('member', 'DELETE', `${base}/${one.id}`)
    await world.app.sweeping.source(one.id)
    await expect(stat(path)).rejects.toThrow('ENOENT')

    const ids = await world.renewed(world.own, 'collection')
    const places = []
    for (const name of ['two.txt', 'three.txt']) {
      const init = { headers: { 'content-type': multipartType }, body: multipart(fileSource(name, name)) }
      const answer = await world.send('member', 'POST', `/v1/${ids.organization}/sources/${ids.collection}`, init)
      places.push((await world.app.files.find(sourceIn(answer).id))?.path ?? '')
    }
    await world.send('member', 'DELETE', `/v1/${ids.organization}/collections/${ids.collection}`)
    await world.app.sweeping.collection(ids.collection)
    for (const place of places) await expect(stat(place)).rejects.toThrow('ENOENT')
  })
})
