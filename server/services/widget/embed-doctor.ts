import { and, eq } from 'drizzle-orm'
import { type EmbedDiagnosisInput, streamTest } from '../../../contract/chat/embed'
import type { DiagnosisEvent, EmbedDiagnosis } from '../../../contract/views/chat/embed-diagnosis'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { formerPublicKeys, keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { decodeHtml } from '../../engine/charset/decode-html'
import {
  diagnoseEmbed,
  type KeyOwner,
  type ScriptAnswer,
  type StreamArrival,
  upgraded,
} from '../../engine/embed/diagnose-embed'
import { type Embed, type EmbeddingPage, readEmbed } from '../../engine/embed/read-embed'
import type { Fetcher, FetchOutcome } from '../../engine/ports/fetcher'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import { hashToken } from '../../tokens'
import type { AgentRef, Agents } from '../agents/agents'
import { entriesOf, keyTypeOf } from '../keychains/key-format'
import { findKeychain } from '../keychains/keychains'
import { leftOnDay } from '../usage/daily-budget'
import type { FairTurns } from '../usage/fair-turns'
import type { RateWindow } from '../usage/request-rates'

interface Deps {
  db: Database
  fetcher: Fetcher
  publicUrl: string
  agents: Pick<Agents, 'get'>
  turns: Pick<FairTurns, 'assertRoom' | 'take'>
  /** Limits the diagnoses of an organization. */
  rate: { window: RateWindow; perMinute: number }
}

/** What a diagnosis needs besides the agent. */
export interface DiagnosisRequest extends EmbedDiagnosisInput {
  /** The hashes of the widget's files by path; empty before the widget is built. */
  widgetHashes: Record<string, string>
}

/** If events arrive this much closer together than they were sent, a proxy holds them back. */
const minArrivalShare = 0.5

/** Reads a page of a website, and says what keeps the widget from working there. Stores nothing. */
export function createEmbedDoctor({ db, fetcher, publicUrl, agents: agentService, turns, rate }: Deps) {
  /**
   * Starts a diagnosis. Throws not_found for an agent without keys, and rate_limited. The diagnosis runs while its events
   * are read.
   */
  async function diagnose(
    actor: Actor,
    ref: AgentRef,
    request: DiagnosisRequest,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<DiagnosisEvent>> {
    const { organizationId } = ref
    authorize(actor, 'keychain:edit', organizationId)
    const agent = await agentService.get(actor, ref)
    const keychain = await findKeychain(db.read, ref.agentId)
    if (!keychain) throw new AppError('not_found', 'This agent has no keys yet.')
    turns.assertRoom(organizationId)
    assertRate(organizationId)

    async function* run(): AsyncGenerator<DiagnosisEvent> {
      const endTurn = await turns.take(organizationId, signal)
      try {
        yield { kind: 'step', step: 'page' }
        const page = await readPage(request.site, signal)
        if ('problem' in page) return yield { kind: 'failed', message: page.problem }
        const embed = readEmbed(page, ({ key }) => key === keychain?.publicKey)
        yield { kind: 'step', step: 'script' }
        const server = upgraded(embed.tag?.src ?? `${publicUrl}/widget.js`, embed.policies)
        const script = await requestScript(server, signal)
        if (script.kind === 'loaded') yield { kind: 'step', step: 'stream' }
        const stream = script.kind === 'loaded' ? await measureStream(server, signal) : 'unknown'
        const facts = {
          publicUrl,
          keyOwner: await ownerOf(embed, ref),
          allowedOrigins: entriesOf(keychain?.allowedOrigins ?? ''),
          widgetHashes: request.widgetHashes,
          agentStatus: agent.status,
          isDailyLimitReached: keychain !== null && leftOnDay(keychain, new Date()) <= 0,
          script,
          stream,
        }
        yield { kind: 'diagnosed', diagnosis: diagnosisOf(embed, diagnoseEmbed(embed, facts)) }
      } finally {
        endTurn()
      }
    }
    return run()
  }

  function assertRate(organizationId: string): void {
    const waitMs = rate.window.take(organizationId)
    if (waitMs === null) return
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    throw new AppError(
      'rate_limited',
      `Your organization can check ${rate.perMinute} pages a minute. Try again in ${retryAfterSeconds} s.`,
      { details: { retryAfterSeconds } },
    )
  }

  async function readPage(url: string, signal: AbortSignal): Promise<EmbeddingPage | { problem: string }> {
    const outcome = await fetcher.fetch({ url, kind: 'embed' }, signal)
    if (outcome.kind !== 'fetched') return { problem: messageOf(outcome) }
    const { status, headers, body } = outcome
    if (status < 200 || status > 299) return { problem: `${outcome.url} responds with the status ${status}.` }
    const contentType = headers['content-type'] ?? ''
    if (contentType !== '' && !/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType))
      return { problem: `${outcome.url} is not a web page.` }
    return { url: outcome.url, headers, html: decodeHtml(body, contentType) }
  }

  async function requestScript(server: URL, signal: AbortSignal): Promise<ScriptAnswer> {
    const outcome = await fetcher.fetch({ url: server.href, kind: 'embed' }, signal)
    if (outcome.kind === 'refused' && /^(?:private|forbidden)-address$/.test(outcome.reason))
      return { kind: 'private-network' }
    if (outcome.kind !== 'fetched') return { kind: 'failed', message: messageOf(outcome) }
    if (outcome.status === 421) return { kind: 'wrong-host' }
    const { origin } = new URL(outcome.url)
    if (origin !== server.origin) return { kind: 'redirected', to: origin }
    if (outcome.status !== 200) return { kind: 'status', status: outcome.status }
    return /javascript/i.test(outcome.headers['content-type'] ?? '') ? { kind: 'loaded' } : { kind: 'no-script' }
  }

  /** Compares how far apart the events of the test were sent and have arrived. */
  async function measureStream(server: URL, signal: AbortSignal): Promise<StreamArrival> {
    const arrivals: number[] = []
    const onChunk = async () => void arrivals.push(performance.now())
    const url = new URL(streamTest.path, server).href
    const outcome = await fetcher.fetch({ url, kind: 'embed', onChunk }, signal)
    const [first] = arrivals
    const last = arrivals.at(-1)
    if (outcome.kind !== 'fetched' || outcome.status !== 200 || first === undefined || last === undefined)
      return 'unknown'
    const sentWithinMs = (streamTest.events - 1) * streamTest.intervalMs
    return last - first < sentWithinMs * minArrivalShare ? 'buffered' : 'streamed'
  }

  async function ownerOf({ tag }: Embed, { organizationId, agentId }: AgentRef): Promise<KeyOwner> {
    const key = tag?.key ?? null
    if (key === null) return { kind: 'missing' }
    if (keyTypeOf(key) === 'private') return { kind: 'private' }
    const [owner] = await db.read
      .select({ id: agents.id, name: agents.name })
      .from(keychains)
      .innerJoin(agents, eq(agents.id, keychains.agentId))
      .where(and(eq(keychains.publicKey, key), eq(keychains.organizationId, organizationId)))
    if (owner) return owner.id === agentId ? { kind: 'agent' } : { kind: 'other-agent', name: owner.name }
    const isThisFormer = and(eq(formerPublicKeys.agentId, agentId), eq(formerPublicKeys.keyHash, hashToken(key)))
    return (await db.read.$count(formerPublicKeys, isThisFormer)) > 0 ? { kind: 'former' } : { kind: 'unknown' }
  }

  return { diagnose }
}

function messageOf(outcome: Exclude<FetchOutcome, { kind: 'fetched' }>): string {
  return outcome.kind === 'refused' ? outcome.message : 'The server sent no page.'
}

function diagnosisOf({ page }: Embed, findings: EmbedDiagnosis['findings']): EmbedDiagnosis {
  return { url: page.href, origin: page.origin, findings }
}
