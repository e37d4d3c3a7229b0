import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebSite, type WebSite } from '../../support/web/web-site'

/** Uploads and downloads use the browser's session, so requests from other sites must have no effect. */
describe('files in the dashboard', () => {
  let web: WebSite
  let upload = ''
  let download = ''

  beforeAll(async () => {
    web = await startWebSite({
      'dashboard/collection/:collectionId/upload': await import(
        '../../../app/routes/dashboard+/collection+/$collectionId_.upload'
      ),
      'dashboard/collection/:collectionId/source/:sourceId/file': await import(
        '../../../app/routes/dashboard+/collection+/$collectionId_.source.$sourceId_.file'
      ),
    })
    upload = `${web.origin}/dashboard/collection/c/upload`
    download = `${web.origin}/dashboard/collection/c/source/s/file`
  })
  afterAll(() => web?.close())

  function post(headers: Record<string, string>): Promise<Response> {
    const body = new FormData()
    body.set('type', 'file')
    body.set('file', new File(['text'], 'notes.txt'))
    return fetch(upload, { method: 'POST', body, headers, redirect: 'manual' })
  }

  it('an upload from a form of another site is rejected', async () => {
    const response = await post({ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
  })

  it('an upload redirects a guest to the landing page', async () => {
    const response = await post({ origin: web.origin, 'sec-fetch-site': 'same-origin' })
    expect([response.status, new URL(response.headers.get('Location') ?? '', upload).pathname]).toEqual([303, '/'])
  })

  it('the upload path is not a page', async () => {
    const response = await fetch(upload, { redirect: 'manual' })
    expect(new URL(response.headers.get('Location') ?? '', upload).pathname).toBe('/dashboard/collection/c')
  })

  it('an original redirects a guest to the landing page', async () => {
    const response = await fetch(download, { redirect: 'manual' })
    expect([response.status, new URL(response.headers.get('Location') ?? '', download).pathname]).toEqual([303, '/'])
  })
})
