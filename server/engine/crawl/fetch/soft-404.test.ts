import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMemoryWeb, type MemoryAnswer } from '../../../../tests/support/sites/memory-web'
import type { FetchRequest } from '../../ports/fetcher'
import { createSoft404Detector } from './soft-404'

const origin = 'https://site.example'
const text = 'Sorry, we could not find that.'
const hash = createHash('sha256').update(text).digest('hex')

/** A site that answers whatever it does not know. */
function webOf(answer: MemoryAnswer, pages: Record<string, MemoryAnswer> = {}) {
  const web = createMemoryWeb(pages)
  const requests: FetchRequest[] = []
  const fetcher: typeof web.deps.fetcher = {
    async fetch(request, signal) {
      if (request.url.includes('/no-such-page-')) {
        requests.push(request)
        web.set(request.url, answer)
      }
      return web.deps.fetcher.fetch(request, signal)
    },
  }
  let time = 0
  const detector = createSoft404Detector({ ...web.deps, fetcher, now: () => time })
  return {
    requests,
    textHash: (address = `${origin}/a`, access: FetchRequest['access'] = undefined) =>
      detector.notFoundTextHash(address, { access: access ?? null }),
    later: (ms: number) => {
      time += ms
    },
  }
}

describe('createSoft404Detector', () => {
  it.each([
    [text, hash],
    [{ status: 404, text }, null],
    [{ status: 410, text }, null],
    [{ status: 500, text }, null],
    [{ status: 203, text }, null],
    [{ to: '/' }, null],
    [{ refusal: 'timeout' }, null],
    [{ text: '' }, null],
    [{ body: '' }, null],
    [{ body: '%PDF-1.7' }, null],
    [{ extraction: 'timeout' }, null],
  ] as [MemoryAnswer, string | null][])('hashes a response with status 200 only: %j', async (answer, expected) => {
    expect(await webOf(answer).textHash()).toBe(expected)
  })

  it('requests a random path once a day and origin', async () => {
    const { textHash, requests, later } = webOf(text)
    await Promise.all([textHash(), textHash(`${origin}/b?c`)])
    later(24 * 3600 * 1000 - 1)
    await textHash()
    expect(requests).toHaveLength(1)
    later(1)
    await textHash()
    await textHash('http://site.example/')
    expect(requests.map(({ url }) => new URL(url).origin)).toEqual([origin, origin, 'http://site.example'])
    const names = requests.map(({ url }) => new URL(url).pathname)
    expect(new Set(names).size).toBe(3)
    expect(names[0]).toMatch(/^\/no-such-page-[\da-f]{16}$/)
  })

  it('retries soon after a transient failure', async () => {
    const { textHash, requests, later } = webOf({ status: 503 })
    await textHash()
    later(59_999)
    await textHash()
    expect(requests).toHaveLength(1)
    later(1)
    await textHash()
    expect(requests).toHaveLength(2)
  })

  it('respects robots.txt', async () => {
    const { textHash, requests } = webOf(text, { [`${origin}/robots.txt`]: { body: 'User-agent: *\nDisallow: /no' } })
    expect(await textHash()).toBeNull()
    expect(requests).toEqual([])
  })

  it('sends credentials to their origin, and caches by them', async () => {
    const { textHash, requests } = webOf(text)
    const access = { origin, headers: { authorization: 'Basic x' } }
    await textHash()
    await textHash(`${origin}/a`, access)
    await textHash(`${origin}/b`, { ...access })
    await textHash(`${origin}/b`, { origin, headers: { authorization: 'Basic y' } })
    await textHash(`${origin}/b`, { ...access, origin: 'https://other.example' })
    expect(requests.map(({ access }) => access?.headers.authorization)).toEqual([undefined, 'Basic x', 'Basic y'])
  })
})
