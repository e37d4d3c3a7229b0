import { and, eq } from 'drizzle-orm'
import type { WidgetCheckResult } from '../../../contract/chat/widget-check'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { formerPublicKeys, keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { decodeHtml } from '../../engine/charset/decode-html'
import type { Fetcher, FetchOutcome } from '../../engine/ports/fetcher'
import { checkWidget, type KeyOwner } from '../../engine/widget-check/check-widget'
import { readWidgetTag, type SentPage } from '../../engine/widget-check/read-widget-tag'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import { hashToken } from '../../tokens'
import type { AgentRef, Agents } from '../agents/agents'
import { entriesOf, keyTypeOf } from '../keychains/key-format'
import { findKeychain } from '../keychains/keychains'
import type { FairTurns } from '../usage/fair-turns'

interface Deps {
  db: Database
  fetcher: Fetcher
  publicUrl: string
  agents: Pick<Agents, 'get'>
  turns: Pick<FairTurns, 'take'>
}

const maxCheckMs = 10_000

/** Reads a page of a website, and says what keeps the widget from working there. Stores nothing. */
export function createWidgetCheck({ db, fetcher, publicUrl, agents: agentService, turns }: Deps) {
  /** Throws not_found for an agent without keys, invalid_input for a page that cannot be read, and rate_limited. */
  return async (
    actor: Actor,
    ref: AgentRef,
    { site, loaderHash }: { site: string; loaderHash: string | null },
    cancelled: AbortSignal,
  ): Promise<WidgetCheckResult> => {
    authorize(actor, 'keychain:edit', ref.organizationId)
    await agentService.get(actor, ref)
    const keychain = await findKeychain(db.read, ref.agentId)
    if (!keychain) throw new AppError('not_found', 'This agent has no keys yet.')
    const signal = AbortSignal.any([cancelled, AbortSignal.timeout(maxCheckMs)])
    const endTurn = await turns.take(ref.organizationId, signal)
    try {
      const page = readWidgetTag(await readPage(site, signal), keychain.publicKey)
      const { tag, url } = page
      const findings = checkWidget(page, {
        ...{ publicUrl, loaderHash, allowedOrigins: entriesOf(keychain.allowedOrigins ?? '') },
        keyOwner: await ownerOf(tag?.key ?? '', ref),
        loaderFailure: tag && (await requestLoader(tag.src, signal)),
      })
      return { url: url.href, origin: url.origin, findings }
    } finally {
      endTurn()
    }
  }

  async function readPage(url: string, signal: AbortSignal): Promise<SentPage> {
    const page = await fetcher.fetch({ url, kind: 'embed' }, signal)
    if (page.kind !== 'fetched') throw unreadable(messageOf(page))
    const { status, headers, body } = page
    if (status < 200 || status > 299) throw unreadable(`${page.url} responds with the status ${status}.`)
    const contentType = headers['content-type'] ?? ''
    const isPage = contentType === '' || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
    if (!isPage) throw unreadable(`${page.url} is not a web page.`)
    return { url: page.url, headers, html: decodeHtml(body, contentType) }
  }

  /** Returns why a browser does not get the loader; null if it does, or if its address is in a private network. */
  async function requestLoader(src: URL, signal: AbortSignal): Promise<string | null> {
    const script = await fetcher.fetch({ url: src.href, kind: 'embed' }, signal)
    if (script.kind === 'refused' && /^(?:private|forbidden)-address$/.test(script.reason)) return null
    if (script.kind !== 'fetched') return `cannot be read (${messageOf(script).replace(/\.$/, '')})`
    if (script.status === 421) return `is not the address of this server, whose PUBLIC_URL is ${publicUrl}`
    if (script.status !== 200) return `responds with the status ${script.status}`
    const { origin } = new URL(script.url)
    if (origin !== src.origin) return `redirects to ${origin}, which browsers do not follow for the widget's calls`
    return /javascript/i.test(script.headers['content-type'] ?? '') ? null : 'is not a script'
  }

  async function ownerOf(key: string, { organizationId, agentId }: AgentRef): Promise<KeyOwner> {
    if (keyTypeOf(key) === 'private') return { kind: 'private' }
    const [owner] = await db.read
      .select({ id: agents.id, name: agents.name })
      .from(keychains)
      .innerJoin(agents, eq(agents.id, keychains.agentId))
      .where(and(eq(keychains.publicKey, key), eq(keychains.organizationId, organizationId)))
    if (owner) return owner.id === agentId ? { kind: 'agent' } : { kind: 'other-agent', name: owner.name }
    const isFormer = and(eq(formerPublicKeys.agentId, agentId), eq(formerPublicKeys.keyHash, hashToken(key)))
    return { kind: (await db.read.$count(formerPublicKeys, isFormer)) > 0 ? 'former' : 'unknown' }
  }
}

function messageOf(outcome: Exclude<FetchOutcome, { kind: 'fetched' }>): string {
  return outcome.kind === 'refused' ? outcome.message : 'The server sent no page.'
}

function unreadable(message: string): AppError {
  return new AppError('invalid_input', message, { details: { fields: { site: [message] } } })
}
