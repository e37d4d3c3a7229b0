import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebSite, type WebSite } from '../../support/web/web-site'

/** The page's preview uses the browser's session, so a post from another site must have no effect. */
describe('the preview of a page', () => {
  let web: WebSite
  let url = ''

  beforeAll(async () => {
    web = await startWebSite({
      'dashboard/collection/:collectionId/preview': await import(
        '../../../app/routes/dashboard+/collection+/$collectionId_.preview'
      ),
    })
    url = `${web.origin}/dashboard/collection/c/preview`
  })
  afterAll(() => web?.close())

  function post(headers: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ type: 'domain', url: 'example.com', password: 'open sesame' })
    return fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  }

  it('is rejected for a form of another site', async () => {
    const response = await post({ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
  })

  it('redirects a guest to the landing page', async () => {
    const response = await post({ origin: web.origin, 'sec-fetch-site': 'same-origin' })
    expect(response.status).toBe(303)
    expect(new URL(response.headers.get('Location') ?? '', url).pathname).toBe('/')
  })

  it('is not a page', async () => {
    const response = await fetch(url, { redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(new URL(response.headers.get('Location') ?? '', url).pathname).toBe('/dashboard/collection/c')
  })
})
