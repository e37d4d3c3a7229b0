import { describe, expect, it } from 'vitest'
import { reasonText } from '../../../../contract/reasons'
import {
  type FetchedPage,
  type GonePage,
  type MovedPage,
  type RefusedPage,
  refused,
} from '../../../engine/crawl/fetch/page-outcome'
import type { AddressRow } from '../../runs/run-context'
import type { SourceRow } from '../../source-rows/source-settings'
import { decideChange } from './decide-change'

const site = 'https://site.example'
const url = `${site}/page`

function sourceOf(more: Partial<SourceRow> = {}): SourceRow {
  return {
    type: 'domain',
    url: `${site}/`,
    startPath: null,
    include: [],
    exclude: [],
    maxDepth: null,
    ...more,
  } as SourceRow
}

function addressOf(more: Partial<AddressRow> = {}): AddressRow {
  return { url, depth: 2, attempts: 0, notFoundCount: 0, fragments: 0, ...more } as AddressRow
}

const contextOf = (source: SourceRow, address: AddressRow) => ({ source, address, retryDelaysMs: [2_000, 10_000] })

const page: FetchedPage = {
  ...{ kind: 'fetched', httpStatus: 200, contentType: 'text/html', bytes: 10, etag: '"1"', lastModified: null },
  document: {
    ...{ title: '', description: '', language: 'en', canonical: null, noindex: false, nofollow: false },
    ...{
      unavailableAfter: null,
      interstitial: null,
      forward: null,
      textFrom: 'page',
      publishedAt: null,
      modifiedAt: null,
    },
  },
  ...{ unavailableAfter: null, fragments: [], textHash: 'hash', links: [], excludedLinks: [], feeds: [] },
  languages: new Map(),
  pageBlocks: { blocks: new Uint8Array(), hashes: new Uint8Array() },
}
const moved: MovedPage = {
  ...{ kind: 'moved', reason: 'redirected', to: `${site}/new`, httpStatus: 301 },
  ...{ links: [], etag: null, lastModified: null },
}
const notFound: GonePage = { kind: 'gone', reason: 'not-found', message: 'Not found.', httpStatus: 404 }
const retryable = (more: Partial<RefusedPage>): RefusedPage => ({
  ...refused('http-server-error', { status: 500 }),
  retryAfterMs: 60_000,
  ...more,
})

describe('decide', () => {
  it('indexes a page with its links, one step further from the start', () => {
    const outcome = {
      ...page,
      links: [`${site}/a`],
      languages: new Map([[`${site}/a`, 'de']]),
      excludedLinks: [
        { url: `${site}/deep`, reason: 'too-deep' as const },
        { url: 'https://other.example/', reason: 'other-host' as const },
      ],
    }
    const link = { depth: 3, discoveredFrom: url }
    expect(decideChange(contextOf(sourceOf(), addressOf()), outcome)).toEqual({
      kind: 'index',
      page: outcome,
      links: [
        { ...link, url: `${site}/a`, language: 'de' },
        { ...link, url: `${site}/deep`, exclusion: 'too-deep' },
      ],
    })
  })

  it('follows only the links of a front page that the patterns exclude', () => {
    const source = sourceOf({ exclude: ['/'] })
    expect(decideChange(contextOf(source, addressOf({ url: `${site}/` })), page)).toMatchObject({
      kind: 'canonicalize',
      target: null,
    })
    expect(decideChange(contextOf(source, addressOf()), page)).toMatchObject({ kind: 'index' })
  })

  it('keeps an unchanged page', () => {
    expect(decideChange(contextOf(sourceOf(), addressOf()), { kind: 'unchanged' })).toEqual({ kind: 'keep' })
  })

  it.each([
    ['a redirect', moved, [{ url: `${site}/new`, depth: 2, discoveredFrom: url, isTarget: true }]],
    ['a feed', { ...moved, reason: 'feed', to: null, links: [`${site}/a`] }, [{ url: `${site}/a`, depth: 3 }]],
  ] as const)('enqueues where %s leads', (_, outcome, links) => {
    expect(decideChange(contextOf(sourceOf(), addressOf()), { ...outcome, links: [...outcome.links] })).toMatchObject({
      ...{ kind: 'canonicalize', reason: outcome.reason, target: outcome.to, httpStatus: 301, links },
    })
  })

  it.each([
    ['a 404 of a page that was never indexed', {}, notFound, { reason: 'not-found', withdraw: true, notFoundCount: 1 }],
    [
      'the first 404 of an indexed page',
      { fragments: 3 },
      notFound,
      { reason: 'missing-once', message: reasonText('missing-once'), withdraw: false, notFoundCount: 1 },
    ],
    [
      'the second 404 of an indexed page',
      { fragments: 3, notFoundCount: 1 },
      notFound,
      { reason: 'not-found', withdraw: true, notFoundCount: 2 },
    ],
    ['a 410', { fragments: 3 }, { ...notFound, reason: 'gone' }, { reason: 'gone', withdraw: true }],
    ['noindex', { fragments: 3 }, refused('noindex'), { reason: 'noindex', withdraw: true, isFetched: true }],
    ['robots.txt', {}, refused('robots-disallowed'), { withdraw: true, isFetched: false }],
    ['an empty page', { fragments: 3 }, refused('empty-page'), { withdraw: false, notFoundCount: null }],
    ['the last failed attempt', { attempts: 2 }, retryable({}), { reason: 'http-server-error', withdraw: false }],
  ] as [string, Partial<AddressRow>, GonePage | RefusedPage, object][])(
    'rejects after %s',
    (_, row, outcome, change) => {
      expect(decideChange(contextOf(sourceOf(), addressOf(row)), outcome)).toMatchObject({ kind: 'reject', ...change })
    },
  )

  it.each([
    ['our delay after an error', 0, retryable({}), 2_000],
    ['our longer delay after a second error', 1, retryable({}), 10_000],
    ['the delay that a 503 asks for', 0, retryable({ httpStatus: 503, retryAfterMs: 5_000 }), 5_000],
    ['at least our delay', 1, retryable({ httpStatus: 503, retryAfterMs: 5_000 }), 10_000],
    ['the delay that a 429 asks for', 0, retryable({ reason: 'rate-limited', httpStatus: 429 }), 60_000],
  ])('retries with %s', (_, attempts, outcome, afterMs) => {
    expect(decideChange(contextOf(sourceOf(), addressOf({ attempts })), outcome)).toMatchObject({
      kind: 'retry',
      afterMs,
    })
  })

  it('postpones an address whose site was not asked, without an attempt', () => {
    const outcome = retryable({ reason: 'rate-limited', httpStatus: null })
    expect(decideChange(contextOf(sourceOf(), addressOf({ attempts: 2 })), outcome)).toEqual({
      kind: 'postpone',
      afterMs: 60_000,
    })
  })
})
