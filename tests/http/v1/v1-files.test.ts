import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { problemSchema } from '../../../contract/views/problem'
import { fileSource, multipart, multipartType } from '../../support/api/multipart'
import { type FileWorld, fieldsOf, sourceIn, startFileWorld } from '../../support/files/file-world'
import { hasBytes } from '../../support/files/stored-files'

// Stored files over /v1. No job runs here.

let world: FileWorld
beforeAll(async () => {
  world = await startFileWorld()
})
// All tests share one collection.
beforeEach(() => world.forgetBytes())
afterAll(() => world.close())

describe('a new file for a source', () => {
  it('replaces the previous one, and starts a run', async () => {
    const source = await world.upload('first.txt', 'first')
    const before = (await world.app.services.files.find(source.id))?.id ?? ''
    await world.rest(source.id)
    const response = await world.put(source.id, [{ name: 'file', filename: 'second.csv', content: 'second,file' }])
    expect(response.status, response.text).toBe(200)
    expect(response.body).toMatchObject({ success: true })
    expect(sourceIn(response)).toMatchObject({
      id: source.id,
      name: 'first.txt',
      file_name: 'second.csv',
      file: { type: 'csv', bytes: 11 },
      status: 'processing',
    })
    expect(await hasBytes(world.app, before)).toBe(false)
    expect((await world.download(source.id)).text).toBe('second,file')
    const { body } = await world.send('viewer', 'GET', `${world.base}/${source.id}/runs`)
    expect(body).toMatchObject({ runs: { total: 2 } })
    expect(await world.incoming()).toEqual([])
  })

  it('may change the name, which may also change without a file', async () => {
    const { id } = await world.upload('first.txt', 'first')
    await world.rest(id)
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    expect(sourceIn(await world.put(id, [file, { name: 'name', content: 'Second' }])).name).toBe('Second')
    expect(sourceIn(await world.put(id, [{ name: 'name', content: 'Third' }]))).toMatchObject({
      name: 'Third',
      file_name: 'second.txt',
    })
    const response = await world.sendJson('member', 'PUT', `${world.base}/${id}`, { name: 'Fourth' })
    expect(sourceIn(response).name).toBe('Fourth')
    const refused = await world.sendJson('member', 'PUT', `${world.base}/${id}`, { max_pages: 7 })
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['max_pages']])
  })

  it('is rejected while a run is active or paused, and the file stays', async () => {
    const { id } = await world.upload('first.txt', 'first')
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    const refused = await world.put(id, [file])
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'conflict', title: 'Failed to replace the file' })
    expect((await world.send('member', 'POST', `${world.base}/${id}/pause`)).status).toBe(200)
    expect((await world.put(id, [file])).status).toBe(409)
    expect((await world.download(id)).text).toBe('first')
    expect(await world.incoming()).toEqual([])
  })

  it('is rejected for a website source; an invalid file does not replace the old one', async () => {
    const file = { name: 'file', filename: 'second.txt', content: 'second' }
    const ofSite = await world.put(world.own.source, [file])
    expect([ofSite.status, fieldsOf(ofSite)]).toEqual([400, ['file']])
    const { id } = await world.upload('first.txt', 'first')
    await world.rest(id)
    const wrong = await world.put(id, [{ ...file, filename: 'second.png' }])
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['file']])
    const options = await world.put(id, [file, { name: 'crawl_delay_ms', content: '100' }])
    expect([options.status, fieldsOf(options)]).toEqual([400, ['crawl_delay_ms']])
    expect((await world.download(id)).text).toBe('first')
    expect(sourceIn(await world.send('viewer', 'GET', `${world.base}/${id}`)).status).toBe('idle')
  })
})

describe('the original', () => {
  it('is downloaded by members under its name, never displayed inline', async () => {
    const { id } = await world.upload('Übersicht "1".csv', 'lamp,price')
    for (const caller of ['viewer', 'member', 'admin'] as const) {
      const { status, headers, text } = await world.download(id, caller)
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
    const head = await world.send('viewer', 'HEAD', `${world.base}/${id}/file`)
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
  })

  it('is not found for other organizations, other sources, and after deletion', async () => {
    const { id } = await world.upload('notes.txt', 'text')
    const missing = await world.download('nothing')
    expect(missing.status).toBe(404)
    const responses = [
      await world.download(id, 'stranger'),
      await world.download(id, 'platform'),
      await world.download(world.own.source),
      await world.send(
        'viewer',
        'GET',
        `${world.base.replace(world.own.collection, world.sibling.collection)}/${id}/file`,
      ),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(404)
      expect({ ...problemSchema.parse(body), instance: '' }).toEqual({
        ...problemSchema.parse(missing.body),
        instance: '',
      })
    }
    expect((await world.download(id, 'guest')).status).toBe(401)
    expect((await world.send('member', 'DELETE', `${world.base}/${id}`)).status).toBe(204)
    expect((await world.download(id)).status).toBe(404)
  })

  it('reports that its bytes are missing', async () => {
    const { id } = await world.upload('notes.txt', 'text')
    await world.app.services.files.removeBytes([(await world.app.services.files.find(id))?.id ?? ''])
    const { status, body } = await world.download(id)
    expect([status, problemSchema.parse(body).message]).toEqual([
      503,
      'The file is missing on this server. Upload it again.',
    ])
  })
})

describe('deleting', () => {
  it('a source or a collection deletes its files', async () => {
    const first = await world.upload('one.txt', 'one')
    const stored = (await world.app.services.files.find(first.id))?.id ?? ''
    await world.send('member', 'DELETE', `${world.base}/${first.id}`)
    await world.app.services.purge.source(first.id)
    expect(await hasBytes(world.app, stored)).toBe(false)

    const ids = await world.renewed(world.own, 'collection')
    const others = []
    for (const name of ['two.txt', 'three.txt']) {
      const init = { headers: { 'content-type': multipartType }, body: multipart(fileSource(name, name)) }
      const response = await world.send('member', 'POST', `/v1/${ids.organization}/sources/${ids.collection}`, init)
      others.push((await world.app.services.files.find(sourceIn(response).id))?.id ?? '')
    }
    await world.send('member', 'DELETE', `/v1/${ids.organization}/collections/${ids.collection}`)
    await world.app.services.purge.collection(ids.collection)
    for (const id of others) expect(await hasBytes(world.app, id)).toBe(false)
  })
})
