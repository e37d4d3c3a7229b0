import { createHash, randomBytes } from 'node:crypto'
import { crawlLimits } from '../../limits'
import type { Extractor, FetchedBody, SiteAccess } from '../../ports'
import { type AskDeps, askSite, denied } from './polite-fetch'
import { createAnswerMemory } from './single-flight-cache'
import { fileKindOf } from './sniff-content'

/** Knows what a site shows for an address that surely does not exist. */
export interface MissingPages {
  /**
   * The hash of the text that the address's origin shows for a missing page as if it existed; null where it says that it
   * does not, or cannot be asked. Asks once a day and origin. Rejects only when the signal aborts.
   */
  textHashFor(address: string, visitor: Visitor): Promise<string | null>
}

interface Visitor {
  access: SiteAccess | null
  gapMs?: number
  signal?: AbortSignal
}

export interface MissingPagesDeps extends AskDeps {
  extractor: Extractor
  now?: () => number
}

/** Origins whose answer is kept. */
const knownOrigins = 1000

export function createMissingPages({ now = Date.now, ...deps }: MissingPagesDeps): MissingPages {
  const memory = createAnswerMemory<string | null>({ size: knownOrigins, now })

  async function ask(origin: string, visitor: Visitor): Promise<{ answer: string | null; holdsMs: number }> {
    const { access, gapMs, signal } = visitor
    const url = `${origin}/no-such-page-${randomBytes(8).toString('hex')}`
    const refusalOf = () => denied('redirected')
    const answer = await askSite(deps, { url, kind: 'page', access, gapMs, refusalOf }, signal)
    const mayChange = answer.kind === 'denied' ? answer.afterMs !== null : answer.status >= 500 || answer.status === 429
    const shown = answer.kind === 'fetched' && answer.status === 200 ? await hashOf(url, answer) : null
    return { answer: shown, holdsMs: mayChange ? crawlLimits.retryMs : crawlLimits.robots.cacheMs }
  }

  async function hashOf(url: string, { headers, body }: FetchedBody): Promise<string | null> {
    const contentType = headers['content-type'] ?? ''
    if (body.length === 0 || fileKindOf(contentType, body).kind !== 'page') return null
    const read = await deps.extractor.extract({ url, body, contentType, followWithin: null })
    // Pages without text are all the same, and are told to be empty.
    return typeof read === 'string' || read.fragments.length === 0 ? null : read.textHash
  }

  return {
    textHashFor(address, visitor) {
      const { origin } = new URL(address)
      return memory.recall(nameOf(origin, visitor.access), () => ask(origin, visitor), visitor.signal)
    },
  }
}

/** Who is let in may see another page than who is not. */
function nameOf(origin: string, access: SiteAccess | null): string {
  if (access?.origin !== origin) return origin
  return `${origin} ${createHash('sha256').update(JSON.stringify(access.headers)).digest('hex')}`
}
