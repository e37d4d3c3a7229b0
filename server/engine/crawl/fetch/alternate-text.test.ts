import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { urlOf, visit, webOf } from '../../../../tests/support/browser/page-visits'
import type { MemoryAnswer } from '../../../../tests/support/sites/memory-web'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const shell: MemoryAnswer = {
  text: 'Please enable JavaScript.',
  headers: { etag: '"1"' },
  facts: { interstitial: 'script', title: 'App' },
  feeds: [urlOf('/feed.xml'), 'https://other.example/feed.xml'],
}
const list: MemoryAnswer = {
  body: '# Site\n- [Lamps](/lamps.md)\n- [Home](/index.html.md)\n- [Gone](/gone.md)\n',
  headers: { 'content-type': 'text/plain' },
}
const copy = (body: string): MemoryAnswer => ({ body, headers: { 'content-type': 'text/markdown; charset=utf-8' } })
const feed: MemoryAnswer = {
  body: `<rss><item><title>Desk &amp; lamp</title><link>${urlOf('/desk')}</link><description>&lt;p&gt;A desk lamp.&lt;/p&gt;</description></item></rss>`,
}

describe('a page that is built by a script', () => {
  it('is read from the Markdown copy in llms.txt', async () => {
    const pages = { [urlOf('/llms.txt')]: list, [urlOf('/lamps.md')]: copy('# Lamps\n\nStorm lamps burn long.') }
    const web = webOf({ ...pages, [urlOf('/lamps')]: shell, [urlOf('/lamps.html')]: shell, [urlOf('/chairs')]: shell })
    const page = await visit(web, urlOf('/lamps'))
    expect(page).toMatchObject({ kind: 'fetched', etag: null, document: { textFrom: 'data', interstitial: null } })
    expect(page.kind === 'fetched' && page.fragments[0]?.text).toContain('<p>Storm lamps burn long.</p>')
    expect(await visit(web, urlOf('/lamps.html'))).toMatchObject({ kind: 'fetched' })
    expect(await visit(web, urlOf('/chairs'))).toMatchObject({ kind: 'refused', reason: 'needs-script' })
    expect(web.asked().filter((url) => url.endsWith('/llms.txt'))).toHaveLength(1)
    expect(web.asked()).not.toContain('https://other.example/feed.xml')
  })

  it('is read from its entry in a declared feed', async () => {
    const web = webOf({ [urlOf('/feed.xml')]: feed, [urlOf('/desk')]: shell, [urlOf('/chairs')]: shell })
    const page = await visit(web, urlOf('/desk'))
    expect(page.kind === 'fetched' && page.fragments[0]?.text).toContain('<p>A desk lamp.</p>')
    expect(await visit(web, urlOf('/chairs'))).toMatchObject({ kind: 'refused', reason: 'needs-script' })
    expect(web.asked().filter((url) => url.endsWith('/feed.xml'))).toHaveLength(1)
  })

  it('requests nothing that robots.txt blocks, and ignores HTML copies', async () => {
    const closed = { [urlOf('/robots.txt')]: { body: 'User-agent: *\nDisallow: /*.md\nDisallow: /feed' } }
    const pages = { [urlOf('/llms.txt')]: list, [urlOf('/lamps.md')]: copy('# Lamps'), [urlOf('/feed.xml')]: feed }
    const web = webOf({ ...closed, ...pages, [urlOf('/lamps')]: shell, [urlOf('/desk')]: shell })
    for (const path of ['/lamps', '/desk'])
      expect(await visit(web, urlOf(path))).toMatchObject({ reason: 'needs-script' })
    expect(web.asked()).not.toContain(urlOf('/lamps.md'))
    const lied = webOf({ [urlOf('/llms.txt')]: list, [urlOf('/lamps.md')]: copy('<html>'), [urlOf('/lamps')]: shell })
    expect(await visit(lied, urlOf('/lamps'))).toMatchObject({ reason: 'needs-script' })
    const plain = webOf({ [urlOf('/lamps')]: 'Lamps that need no script.' })
    await visit(plain, urlOf('/lamps'))
    expect(plain.asked()).not.toContain(urlOf('/llms.txt'))
  })
})
