import { and, eq } from 'drizzle-orm'
import { lengths } from '../../../contract/values/limits'
import { parseUrl } from '../../../contract/values/url'
import { collections, siteIcons } from '../../../db/schema/collections'
import { type PoliteFetchDeps, politeFetch } from '../../engine/crawl/fetch/polite-fetch'
import { normalizeAddress } from '../../engine/crawl/urls/urls'
import type { PageFacts } from '../../engine/ports/extractor'
import type { SiteAccess } from '../../engine/ports/fetcher'
import { iconType } from '../pictures/picture-type'
import type { RunContext } from '../runs/run-context'

/** How long an icon is kept before its site is asked again. */
const maxAgeMs = 30 * 24 * 3600 * 1000
/** Hosts of a collection whose icons are kept. */
const maxHosts = 50

/** A page of a site, as it was read. */
export interface SitePage {
  url: string
  document: Pick<PageFacts, 'siteName' | 'icon'>
  access: SiteAccess | null
}

export type ObserveSite = ReturnType<typeof createObserveSite>

/**
 * Learns from a page how its site calls itself and what its icon is. The icon of a host is requested once in a month, by
 * the rules for every request of the crawler. A collection that the first step has called by the host of its source gets
 * the site's name.
 */
export function createObserveSite(deps: PoliteFetchDeps) {
  const observed = new WeakMap<RunContext, { hosts: Set<string>; isNamed: boolean }>()

  return async (run: RunContext, page: SitePage, signal: AbortSignal): Promise<void> => {
    const { host } = new URL(page.url)
    const known = observed.get(run) ?? { hosts: new Set<string>(), isNamed: false }
    observed.set(run, known)
    const { siteName } = page.document
    if (!known.isNamed && siteName !== '' && host === hostOf(run)) {
      known.isNamed = true
      await nameCollection(run, siteName)
    }
    if (known.hosts.has(host) || known.hosts.size === maxHosts) return
    known.hosts.add(host)
    if (await isIconDue(run, host)) await fetchIcon(run, host, page, signal)
  }

  async function fetchIcon(run: RunContext, host: string, page: SitePage, signal: AbortSignal): Promise<void> {
    const url = normalizeAddress(page.document.icon ?? new URL('/favicon.ico', page.url).href)
    if (url === null) return
    const { access } = page
    const crawlDelayMs = run.source.crawlDelayMs ?? undefined
    const outcome = await politeFetch(deps, { url, kind: 'icon', access, crawlDelayMs }, signal)
    // A busy host is asked in the next run.
    if (outcome.kind === 'denied' && outcome.reason === 'rate-limited') return
    const isRead = outcome.kind === 'fetched' && outcome.status >= 200 && outcome.status < 300
    const mediaType = isRead ? iconType(outcome.body) : null
    const content = isRead && mediaType !== null ? new Uint8Array(outcome.body) : null
    const checkedAt = new Date()
    // An icon that is there stays when the site does not answer.
    const change = content === null ? { checkedAt } : { mediaType, content, checkedAt }
    await run.db.writeOne((tx) =>
      tx
        .insert(siteIcons)
        .values({ collectionId: run.source.collectionId, host, mediaType, content, checkedAt })
        .onConflictDoUpdate({ target: [siteIcons.collectionId, siteIcons.host], set: change }),
    )
  }
}

async function isIconDue({ db, source }: RunContext, host: string): Promise<boolean> {
  const ofCollection = eq(siteIcons.collectionId, source.collectionId)
  const [known] = await db.read
    .select({ checkedAt: siteIcons.checkedAt })
    .from(siteIcons)
    .where(and(ofCollection, eq(siteIcons.host, host)))
  if (known) return known.checkedAt.getTime() < Date.now() - maxAgeMs
  return (await db.read.$count(siteIcons, ofCollection)) < maxHosts
}

async function nameCollection({ db, source }: RunContext, siteName: string): Promise<void> {
  const unnamed = and(eq(collections.id, source.collectionId), eq(collections.isNamedByHost, true))
  if ((await db.read.$count(collections, unnamed)) === 0) return
  const change = { name: siteName.slice(0, lengths.collectionName), isNamedByHost: false }
  await db.writeOne((tx) => tx.update(collections).set(change).where(unnamed))
}

/** The host that the source of a run names. */
function hostOf({ source }: RunContext): string | null {
  return source.url === null ? null : (parseUrl(source.url)?.host ?? null)
}
