import { setTimeout as sleep } from 'node:timers/promises'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { SiteAccess } from '../../ports'
import { type AskDeps, askSite, type Question } from '../fetch/polite-fetch'
import { retryAfterOf } from '../fetch/retry-after'
import { createSitemapReader } from '../formats/sitemap'
import type { SitemapFile } from '../formats/sitemap-entries'
import { isSameSite, normalizeAddress, refusalOfShape } from '../urls/urls'
import type { Surveyed } from './discover'

export interface SitemapDeps extends AskDeps {
  /** See `crawlLimits`. */
  retryDelaysMs: readonly number[]
}

export interface SitemapsToRead {
  /** Any address of the site whose pages are wanted. */
  site: string
  files: string[]
  /** Files that robots.txt names, which are read whatever it says else. */
  named: ReadonlySet<string>
  access?: SiteAccess | null
  gapMs?: number
}

/**
 * Reads sitemaps and those that they list, through three levels of indexes and 500 files, and takes the addresses of the
 * site, as they come and with their repetitions; what is cut off there is told as a problem. Rejects only when `signal`
 * aborts.
 */
export async function* readSitemaps(
  deps: SitemapDeps,
  source: SitemapsToRead,
  signal?: AbortSignal,
): AsyncGenerator<Surveyed> {
  const { site } = source
  const line = source.files.slice(0, crawlLimits.sitemap.files).map((address) => ({ address, depth: 1 }))
  const listed = new Set(line.map(({ address }) => address))
  let isAnyRead = false
  let isCut = source.files.length > line.length
  let isTooNested = false
  let own = 0
  let foreign: { file: string; host: string } | null = null
  for (let next = line.shift(); next; next = line.shift()) {
    const { address: file, depth } = next
    const read = await readFile(deps, source, file, signal)
    if (read.kind === 'refused') {
      yield problem(file, read.reason, read.message)
      continue
    }
    isAnyRead = true
    if (read.broken) yield problem(file, 'sitemap-broken')
    if (read.cut) yield problem(file, 'over-limit', cutText.file)
    for (const entry of read.entries) {
      const address = normalizeAddress(entry.address, read.url)
      if (address === null) continue
      if (read.kind === 'index') {
        const child = fileAddress(entry.address, read.url)
        const isWanted = isSameSite(child, site) || isSameSite(child, read.url)
        if (!isWanted || listed.has(child)) continue
        isTooNested ||= depth > indexDepth
        isCut ||= listed.size >= files
        if (depth > indexDepth || isCut) break
        listed.add(child)
        line.push({ address: child, depth: depth + 1 })
        continue
      }
      const host = isSameSite(address, site) ? null : new URL(address).host
      const reason = host === null ? refusalOfShape(address) : 'other-host'
      if (reason) yield { kind: 'left', address, reason, message: reasonText(reason, host ? { host } : {}) }
      else yield { kind: 'address', address, lastModified: entry.lastModified, language: entry.language }
      if (host) foreign ??= { file, host }
      else own++
    }
  }
  const first = source.files[0] ?? site
  if (isCut) yield problem(first, 'over-limit', cutText.files)
  if (isTooNested) yield problem(first, 'over-limit', cutText.levels)
  if (foreign && own > 0) yield problem(foreign.file, 'other-host', reasonText('other-host', { host: foreign.host }))
  if (own === 0 && isAnyRead && !isCut && !isTooNested) yield problem(first, 'sitemap-empty')
}

const { addresses, files, indexDepth } = crawlLimits.sitemap

/** What is told where the limits of sitemaps cut something off. */
const cutText = {
  file: `The sitemap lists more than ${addresses.toLocaleString('en')} addresses; those behind were not used. Split it.`,
  files: `The sitemaps are more than ${files} files; those behind were not read.`,
  levels: `The sitemap indexes are nested more than ${indexDepth} levels deep; what is deeper was not read.`,
}

/** As it stands: every parameter of a file may matter. */
function fileAddress(address: string, base: string): string {
  const url = new URL(address.trim(), base)
  url.hash = ''
  return url.href
}

type ReadFile =
  /** `url`: after redirects. */
  | (Exclude<SitemapFile, { kind: 'refused' }> & { url: string })
  | { kind: 'refused'; reason: ReasonCode; message?: string }

async function readFile(
  deps: SitemapDeps,
  { access, gapMs, named }: SitemapsToRead,
  url: string,
  signal?: AbortSignal,
): Promise<ReadFile> {
  const { answer, file } = await askPatiently(deps, { url, kind: 'sitemap', access, gapMs, named }, signal)
  if (answer.kind === 'denied') return { kind: 'refused', reason: answer.reason, message: answer.message }
  if (answer.kind === 'unchanged') return { kind: 'addresses', entries: [], broken: false, cut: false, url }
  const { status } = answer
  if (status >= 200 && status < 300) {
    return file.kind === 'refused' ? file : { ...file, url: answer.url }
  }
  const reason = reasonOf(status)
  return { kind: 'refused', reason, message: reasonText(reason, { status }) }
}

/** A server that is busy or down for a moment is asked twice more. */
async function askPatiently(deps: SitemapDeps, question: Question, signal?: AbortSignal) {
  for (const delayMs of deps.retryDelaysMs) {
    const asked = await askAndRead(deps, question, signal)
    const again = againAfter(asked.answer)
    if (again === null || again > crawlLimits.patienceMs) return asked
    await sleep(Math.max(delayMs, again), undefined, signal ? { signal } : {})
  }
  return askAndRead(deps, question, signal)
}

/** Reads the file while it comes; of what is refused half-way, nothing counts. */
async function askAndRead(deps: AskDeps, question: Question, signal?: AbortSignal) {
  const reader = createSitemapReader()
  try {
    const answer = await askSite(deps, { ...question, take: reader.take }, signal)
    return { answer, file: await reader.end() }
  } catch (error) {
    await reader.end()
    throw error
  }
}

/** Milliseconds, where another attempt may go better; those of a server that names none are ours. */
function againAfter(answer: Awaited<ReturnType<typeof askSite>>): number | null {
  if (answer.kind === 'denied') return answer.reason === 'rate-limited' || answer.afterMs === null ? null : 0
  if (answer.kind === 'unchanged') return null
  const mayPass = answer.status >= 500 || answer.status === 429 || answer.status === 408
  return mayPass ? (retryAfterOf(answer) ?? 0) : null
}

function reasonOf(status: number): ReasonCode {
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 403) return 'access-denied'
  return status >= 500 ? 'http-server-error' : 'http-client-error'
}

function problem(address: string, reason: ReasonCode, message = reasonText(reason)): Surveyed {
  return { kind: 'problem', address, reason, message }
}
