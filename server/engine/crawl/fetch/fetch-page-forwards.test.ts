import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { origin, urlOf, visit, webOf } from '../../../../tests/support/browser/page-visits'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forward = (to: string, links: string[] = []) => ({
  text: '',
  facts: { forward: { url: urlOf(to), isForNoScript: false } },
  links,
})
const moved = (to: string) => ({ kind: 'moved', reason: 'redirected', to, httpStatus: 200, etag: null })

describe('pages that only forward', () => {
  it('move to their target, and keep their links', async () => {
    const web = webOf({ '/page': forward('/latest/?utm_source=x', ['/17/']), '/latest/': 'Words.' })
    expect(await visit(web)).toEqual({ ...moved(urlOf('/latest/')), links: [urlOf('/17/')], lastModified: null })
    expect(web.asked()).toEqual([urlOf('/page'), urlOf('/latest/')])
  })

  it('move although they ask not to be indexed, or name a canonical URL', async () => {
    const facts = { ...forward('/latest/').facts, noindex: true, canonical: urlOf('/other') }
    const web = webOf({ '/page': { text: 'Redirecting.', facts }, '/latest/': 'Words.' })
    expect(await visit(web)).toMatchObject(moved(urlOf('/latest/')))
  })

  it('are followed up to five times, across redirects', async () => {
    const web = webOf({
      ...{ '/page': forward('/1'), '/1': { to: '/2' }, '/2': forward('/3'), '/3': 'Words.' },
      ...Object.fromEntries(Array.from({ length: 9 }, (_, step) => [`/s${step}`, forward(`/s${step + 1}`)])),
    })
    expect(await visit(web)).toMatchObject(moved(urlOf('/3')))
    expect(await visit(web, '/s0')).toMatchObject({ kind: 'refused', reason: 'too-many-redirects' })
    expect(web.asked().filter((url) => /\/s\d$/.test(url)).length).toBeLessThanOrEqual(6)
  })

  it('are not followed past a known URL', async () => {
    const web = webOf({ '/page': forward('/known'), '/known': 'Words.' })
    expect(await visit(web, '/page', { isKnown: async () => true })).toMatchObject(moved(urlOf('/known')))
    expect(web.asked()).toEqual([urlOf('/page')])
  })

  it('lead to any site if the source is one page', async () => {
    const web = webOf({ '/page': forward('https://other.example/'), 'https://other.example/': 'Words.' })
    expect(await visit(web, '/page', { site: null })).toMatchObject(moved('https://other.example/'))
  })

  it.each([
    ['https://other.example/', 'other-host', 'other.example'],
    ['/login?next=/page', 'login-required', 'sign-in'],
    [`/${'x/'.repeat(5)}`, 'trap', ''],
    ['/closed', 'robots-disallowed', ''],
    ['/page#top', 'too-many-redirects', 'in a loop'],
  ])('to %s are refused without a request', async (to, reason, words) => {
    const web = webOf({ '/page': forward(to), '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' } })
    expect(await visit(web)).toMatchObject({ kind: 'refused', reason, message: expect.stringContaining(words) })
    expect(web.asked()).toEqual([urlOf('/page')])
    expect(web.requests.every(({ url }) => url.startsWith(origin))).toBe(true)
  })

  it('are refused where they lead back, also by a redirect', async () => {
    const loop = { kind: 'refused', reason: 'too-many-redirects', message: expect.stringContaining('in a loop') }
    expect(await visit(webOf({ '/page': forward('/a'), '/a': forward('/page') }))).toMatchObject(loop)
    expect(await visit(webOf({ '/page': forward('/a'), '/a': { to: '/page' } }))).toMatchObject(loop)
  })

  it('answer with the refusal, the status or the failure of the target', async () => {
    expect(await visit(webOf({ '/page': forward('/lost') }))).toMatchObject({ kind: 'gone', httpStatus: 404 })
    const failing = webOf({ '/page': forward('/x'), '/x': { status: 500 } })
    expect(await visit(failing)).toMatchObject({ kind: 'refused', reason: 'http-server-error' })
    const isPrivate = webOf({ '/page': forward('/x'), '/x': { refusal: 'private-address' } })
    expect(await visit(isPrivate)).toMatchObject({ kind: 'refused', reason: 'private-address' })
  })

  it('are read where many pages of the site send visitors without JavaScript to the same URL', async () => {
    const facts = { forward: { url: urlOf('/noscript'), isForNoScript: true } }
    const visitWith = (redirects: number) =>
      visit(webOf({ '/page': { text: '', facts }, '/noscript': 'Words.' }), '/page', {
        countRedirectsTo: async () => redirects,
      })
    expect(await visitWith(1)).toMatchObject(moved(urlOf('/noscript')))
    expect(await visitWith(2)).toMatchObject({ kind: 'refused', reason: 'empty-page' })
  })

  it('may lead to a document', async () => {
    const body = '%PDF-1.7 and so on'
    const web = webOf({
      '/page': forward('/a.pdf'),
      '/a.pdf': { body, headers: { 'content-type': 'application/pdf' } },
    })
    expect(await visit(web)).toMatchObject(moved(urlOf('/a.pdf')))
  })
})
