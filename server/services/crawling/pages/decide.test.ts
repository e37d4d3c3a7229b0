import { describe, expect, it } from 'vitest'
import { reasonText } from '../../../../contract/reasons'
import { type GonePage, type MovedPage, type RefusedPage, refused } from '../../../engine/crawl/fetch/page-outcome'
import type { AddressRow } from '../../runs/run-context'
import type { SourceRow } from '../../source-rows/source-settings'
import { type Duplicate, decide, type Finding, type Visited } from './decide'
import type { ReadText } from './read-text'

const site = 'https://site.example'
const url = `${site}/page`
const now = new Date('2026-01-31')
const before = new Date('2026-01-01')

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

/** An address that was never visited. */
function addressOf(more: Partial<AddressRow> = {}): AddressRow {
  return {
    ...{ url, depth: 2, status: 'new', reason: null, notFoundCount: 0, failures: 0, fragments: 0 },
    ...{ textHash: null, canonicalUrl: null, changedAt: null, ...more },
  } as AddressRow
}

const indexed = addressOf({ status: 'idle', fragments: 3, textHash: 'hash', changedAt: before })

function decided(finding: Finding, more: Partial<Omit<Visited, 'finding'>> = {}) {
  const visited = { source: sourceOf(), address: addressOf(), visit: { depth: 2, attempts: 0, reason: null }, ...more }
  return decide({
    duplicate: null,
    hasCanonical: true,
    isTrap: false,
    retryDelaysMs: [2_000, 10_000],
    now,
    ...visited,
    finding,
  })
}

const text: ReadText = {
  ...{ kind: 'read', from: 'page', textHash: 'hash', language: 'en', textLanguage: () => 'en', note: null },
  ...{ httpStatus: 200, bytes: 10, links: [], excludedLinks: [], languages: new Map() },
  columns: { httpStatus: 200, etag: '"1"', lastModified: null, metaTitle: 'Lamps' },
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
const owner = addressOf({ url: `${site}/owner`, fragments: 3, textHash: 'hash' })
const preferred: Duplicate = { owner, isPreferred: true, ownerOutcome: null }

describe('decide', () => {
  it('indexes a page with its links, one step further from the start', () => {
    const finding = {
      ...text,
      links: [`${site}/a`],
      languages: new Map([[`${site}/a`, 'de']]),
      excludedLinks: [
        { url: `${site}/deep`, reason: 'too-deep' as const },
        { url: 'https://other.example/', reason: 'other-host' as const },
      ],
    }
    const link = { depth: 3, discoveredFrom: url }
    expect(decided(finding)).toMatchObject({
      ...{ kind: 'end', text: 'store', takesFrom: null, isFetched: true },
      visit: { outcome: 'new', reason: null, bytes: 10, httpStatus: 200 },
      address: { status: 'idle', etag: '"1"', metaTitle: 'Lamps', textHash: 'hash', changedAt: now, fetchedAt: now },
      links: [
        { ...link, url: `${site}/a`, language: 'de' },
        { ...link, url: `${site}/deep`, exclusion: 'too-deep' },
      ],
    })
    expect(decided(finding, { isTrap: true })).toMatchObject({ text: 'store', links: [] })
  })

  it.each([
    ['a first text', addressOf(), null, 'new', null, 'store'],
    ['the same text', indexed, null, 'unchanged', null, 'store'],
    ['another text', { ...indexed, textHash: 'other' }, null, 'changed', null, 'store'],
    ['the text of a preferred page', addressOf(), preferred, 'replaced', owner.url, 'store'],
    ['the text of a preferred page instead of its own', indexed, preferred, 'withdrawn', owner.url, 'store'],
    ['a text that it takes', addressOf(), { ...preferred, isPreferred: false }, 'unchanged', null, 'store'],
    [
      'a text that it takes from a page of this run',
      addressOf(),
      { ...preferred, isPreferred: false, ownerOutcome: 'changed' as const },
      ...(['changed', null, 'store'] as const),
    ],
  ] as const)('ends a visit that read %s', (_, address, duplicate, outcome, canonicalUrl, stored) => {
    const change = decided(text, { address, duplicate })
    expect(change).toMatchObject({ visit: { outcome, bytes: 10 }, text: stored, address: { canonicalUrl } })
    expect(change).toMatchObject({ takesFrom: duplicate?.isPreferred === false ? duplicate : null })
  })

  it('keeps the date of the last change, and forgets the validators of a page that came nearer', () => {
    expect(decided(text, { address: indexed })).toMatchObject({ address: { changedAt: before, etag: '"1"' } })
    const nearer = { address: { ...indexed, depth: 1 }, visit: { depth: 2, attempts: 0, reason: null } }
    expect(decided(text, nearer)).toMatchObject({ address: { etag: '"1"' } })
    expect(decided(text, { ...nearer, source: sourceOf({ maxDepth: 3 }) })).toMatchObject({ address: { etag: null } })
  })

  it('follows only the links of a front page that the patterns exclude', () => {
    const source = sourceOf({ exclude: ['/'] })
    const front = addressOf({ url: `${site}/` })
    const finding = { ...text, links: [`${site}/a`] }
    expect(decided(finding, { source, address: front })).toMatchObject({
      ...{ text: 'delete', visit: { outcome: 'replaced', reason: 'excluded' } },
      ...{ address: { canonicalUrl: null, etag: null }, links: [{ url: `${site}/a` }] },
    })
    expect(decided(finding, { source })).toMatchObject({ text: 'store' })
  })

  it.each([
    ['an indexed page', indexed, null, 'unchanged', {}],
    ['a page whose last fetch failed', { ...indexed, reason: 'timeout' }, null, 'unchanged', { reason: null }],
    ['a canonical alias', addressOf({ canonicalUrl: owner.url }), null, 'replaced', { reason: 'canonical' }],
    ['a feed', addressOf(), null, 'replaced', { reason: 'feed' }],
    [
      'a duplicate',
      addressOf({ textHash: 'hash', canonicalUrl: `${site}/old` }),
      preferred,
      'replaced',
      { reason: 'duplicate', canonicalUrl: owner.url },
    ],
  ] as const)('keeps %s that is unchanged', (_, address, duplicate, outcome, columns) => {
    expect(decided({ kind: 'unchanged' }, { address, duplicate })).toMatchObject({
      ...{ kind: 'end', text: 'keep', visit: { outcome, bytes: null } },
      address: { status: 'idle', httpStatus: 304, failures: 0, crawledAt: now, ...columns },
    })
  })

  it('fetches an unchanged duplicate again if the other page lost the text', () => {
    const address = addressOf({ textHash: 'hash', canonicalUrl: owner.url })
    expect(decided({ kind: 'unchanged' }, { address })).toEqual({ kind: 'refetch' })
  })

  it('fetches an unchanged alias again if its canonical page has no text', () => {
    const address = addressOf({ canonicalUrl: owner.url })
    expect(decided({ kind: 'unchanged' }, { address, hasCanonical: false })).toEqual({ kind: 'refetch' })
  })

  it('replaces a page by the canonical page that it names, or reads it itself', () => {
    const links = [`${site}/a`]
    const facts = { canonical: owner.url, httpStatus: 200, links, etag: '"1"', lastModified: null }
    const alias: Finding = { kind: 'alias', ...facts, itself: { ...text, links } }
    expect(decided(alias)).toMatchObject({
      ...{ text: 'delete', visit: { outcome: 'replaced', reason: 'canonical', httpStatus: 200 } },
      address: { canonicalUrl: owner.url, textHash: null, etag: '"1"' },
      links: [
        { url: owner.url, depth: 2, isTarget: true },
        { url: `${site}/a`, depth: 3 },
      ],
    })
    expect(decided(alias, { hasCanonical: false })).toEqual(decided(alias.itself))
    expect(decided(alias, { address: indexed })).toMatchObject({ visit: { outcome: 'withdrawn' } })
    const empty: Finding = { ...alias, itself: refused('empty-page', { status: 200 }) }
    expect(decided(empty, { hasCanonical: false })).toMatchObject({
      visit: { outcome: 'failed', reason: 'empty-page' },
    })
  })

  it('keeps a note about a text with the text', () => {
    const address = { ...indexed, reason: 'file-cut' }
    expect(decided({ kind: 'same-file' }, { address })).not.toHaveProperty('address.reason')
  })

  it('drops a replacement that is unreadable, and promotes one that was read before', () => {
    const bad = { kind: 'bad-replacement', reason: 'file-broken', message: 'It is broken.' } as const
    expect(decided(bad, { address: indexed })).toMatchObject({
      ...{ text: 'keep', replacement: 'drop', address: { status: 'idle' } },
      visit: { outcome: 'failed', reason: 'file-broken', message: 'It is broken.' },
    })
    expect(decided({ kind: 'same-file' }, { address: indexed })).toMatchObject({
      ...{ text: 'keep', replacement: 'promote', visit: { outcome: 'unchanged' } },
    })
  })

  it.each([
    ['a redirect', moved, [{ url: `${site}/new`, depth: 2, discoveredFrom: url, isTarget: true }]],
    ['a feed', { ...moved, reason: 'feed', to: null, links: [`${site}/a`] }, [{ url: `${site}/a`, depth: 3 }]],
    ['an index', { ...moved, reason: 'link-list', to: null, links: [`${site}/a`] }, [{ url: `${site}/a`, depth: 3 }]],
  ] as const)('enqueues where %s leads', (_, finding, links) => {
    expect(decided({ ...finding, links: [...finding.links] })).toMatchObject({
      ...{ visit: { outcome: 'replaced', reason: finding.reason, httpStatus: 301 }, text: 'delete', links },
      address: { canonicalUrl: finding.to, textHash: null },
    })
    const change = decided({ ...finding, links: [] }, { address: indexed })
    expect(change).toMatchObject({ visit: { outcome: 'withdrawn' } })
  })

  it.each([
    ['a 404 of a page that was never indexed', {}, notFound, ['failed', 'not-found', 'delete', 1]],
    ['the first 404 of an indexed page', { fragments: 3 }, notFound, ['failed', 'missing-once', 'keep', 1]],
    [
      'the second 404 of an indexed page',
      { fragments: 3, notFoundCount: 1 },
      notFound,
      ['withdrawn', 'not-found', 'delete', 2],
    ],
    ['a 410', { fragments: 3 }, { ...notFound, reason: 'gone' }, ['withdrawn', 'gone', 'delete', 1]],
    ['noindex', { fragments: 3 }, refused('noindex'), ['withdrawn', 'noindex', 'delete', 0]],
    ['robots.txt', {}, refused('robots-disallowed'), ['failed', 'robots-disallowed', 'delete', 0]],
    [
      'an empty page',
      { fragments: 3, notFoundCount: 1 },
      { ...refused('empty-page'), httpStatus: 200 },
      ['failed', 'empty-page', 'keep', 0],
    ],
    ['a timeout', { fragments: 3, notFoundCount: 1 }, refused('timeout'), ['failed', 'timeout', 'keep', 1]],
  ] as [string, Partial<AddressRow>, GonePage | RefusedPage, [string, string, string, number]][])(
    'fails after %s',
    (_, row, finding, [outcome, reason, stays, notFoundCount]) => {
      expect(decided(finding, { address: addressOf(row) })).toMatchObject({
        ...{ kind: 'end', visit: { outcome, reason }, text: stays, isFetched: reason !== 'robots-disallowed' },
        address: { status: 'fail', reason, notFoundCount, failures: 1 },
      })
    },
  )

  it('tries a page that took too long once more, at the end of the run', () => {
    const finding = { ...refused('extraction-timeout'), httpStatus: 200 }
    const { reason, message, httpStatus } = finding
    for (const visit of [
      { depth: 2, attempts: 0, reason: null },
      { depth: 2, attempts: 1, reason: 'timeout' },
    ])
      expect(decided(finding, { visit })).toEqual({
        kind: 'postpone',
        afterMs: 0,
        attempt: { reason, message, httpStatus },
      })
    expect(decided(finding, { address: indexed, visit: { depth: 2, attempts: 1, reason } })).toMatchObject({
      ...{ kind: 'end', visit: { outcome: 'failed', reason }, text: 'keep' },
    })
    expect(decided(finding, { visit: { depth: 2, attempts: 3, reason: 'timeout' } })).toMatchObject({ kind: 'end' })
  })

  it('says that an address is missing once in the words for people', () => {
    const change = decided(notFound, { address: indexed })
    expect(change).toMatchObject({ visit: { message: reasonText('missing-once') } })
  })

  it('fails after the last attempt, and counts all of them', () => {
    const change = decided(retryable({}), {
      address: { ...indexed, failures: 4 },
      visit: { depth: 2, attempts: 2, reason: null },
    })
    expect(change).toMatchObject({
      ...{ kind: 'end', text: 'keep', visit: { outcome: 'failed', reason: 'http-server-error' } },
      address: { status: 'fail', failures: 7 },
    })
  })

  it.each([
    ['our delay after an error', 0, retryable({}), 2_000],
    ['our longer delay after a second error', 1, retryable({}), 10_000],
    ['the delay that a 503 asks for', 0, retryable({ httpStatus: 503, retryAfterMs: 5_000 }), 5_000],
    ['at least our delay', 1, retryable({ httpStatus: 503, retryAfterMs: 5_000 }), 10_000],
    ['the delay that a 429 asks for', 0, retryable({ reason: 'rate-limited', httpStatus: 429 }), 60_000],
  ])('tries again after %s', (_, attempts, finding, afterMs) => {
    const { reason, message, httpStatus } = finding
    expect(decided(finding, { visit: { depth: 2, attempts, reason: null } })).toEqual({
      ...{ kind: 'postpone', afterMs, attempt: { reason, message, httpStatus } },
    })
  })

  it('postpones an address whose site was not asked, without an attempt', () => {
    const finding = retryable({ reason: 'rate-limited', httpStatus: null })
    expect(decided(finding, { visit: { depth: 2, attempts: 2, reason: null } })).toEqual({
      ...{ kind: 'postpone', afterMs: 60_000, attempt: null },
    })
  })
})
