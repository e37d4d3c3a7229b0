import { type AgentStatus, agentStatuses } from '../../../contract/values/enumerations'
import type { EmbedCheck, EmbedFinding, EmbedProblem } from '../../../contract/views/chat/embed-diagnosis'
import {
  allowsCall,
  allowsScript,
  connectDirectives,
  directiveOf,
  type Policy,
  scriptDirectives,
} from './content-security-policy'
import type { Embed, Inert, WidgetTag } from './read-embed'

/** Whose key the tag has. */
export type KeyOwner =
  | { kind: 'agent' | 'former' | 'private' | 'unknown' | 'missing' }
  | { kind: 'other-agent'; name: string }

/** The result of a request to the address of the tag, or of this server where the page has no tag. */
export type ScriptAnswer =
  | { kind: 'loaded' | 'wrong-host' | 'no-script' }
  | { kind: 'redirected'; to: string }
  | { kind: 'status'; status: number }
  | { kind: 'private-network' }
  | { kind: 'failed'; message: string }

/** How a stream of the server arrives at its public address. */
export type StreamArrival = 'streamed' | 'buffered' | 'unknown'

/** What is known besides the page. */
export interface EmbedFacts {
  publicUrl: string
  keyOwner: KeyOwner
  /** Empty for any. */
  allowedOrigins: string[]
  /** The hashes of the widget's files by path; empty before the widget is built. */
  widgetHashes: Record<string, string>
  agentStatus: AgentStatus
  /** Whether the agent has given all answers that it may give today. */
  isDailyLimitReached: boolean
  script: ScriptAnswer
  stream: StreamArrival
}

interface Situation extends EmbedFacts {
  page: URL
  policies: Policy[]
  tag: WidgetTag | null
  /** The tag of the page, or the one of the snippet. */
  effective: Pick<WidgetTag, 'src' | 'nonce' | 'integrity'>
  /** Where the browser looks for the widget. */
  server: URL
}

type Outcome = { problem: EmbedProblem; message: string } | { unknown: string } | { ok: string }

const checks: Record<EmbedCheck, (situation: Situation) => Outcome> = {
  tag: checkTag,
  key: checkKey,
  origin: checkOrigin,
  'script-policy': checkScriptPolicy,
  'connect-policy': checkConnectPolicy,
  'mixed-content': checkMixedContent,
  'server-address': checkServerAddress,
  streaming: checkStreaming,
  agent: checkAgent,
}

/**
 * Says for each check whether something keeps the widget from working on a page. A page without a tag is checked as if it
 * had the one of the snippet.
 */
export function diagnoseEmbed({ page, tag, policies }: Embed, facts: EmbedFacts): EmbedFinding[] {
  const effective = tag ?? { src: `${facts.publicUrl}/widget.js`, nonce: null, integrity: null }
  const situation = { ...facts, page, tag, policies, effective, server: upgraded(effective.src, policies) }
  return Object.entries(checks).map(([check, run]) => findingOf(check as EmbedCheck, run(situation)))
}

/** The address that a browser requests: policies can replace http with https. */
export function upgraded(src: string, policies: Policy[]): URL {
  const url = new URL(src)
  if (url.protocol === 'http:' && policies.some((policy) => policy.has('upgrade-insecure-requests')))
    url.protocol = 'https:'
  return url
}

function findingOf(check: EmbedCheck, outcome: Outcome): EmbedFinding {
  if ('problem' in outcome) return { check, state: 'problem', ...outcome }
  if ('unknown' in outcome) return { check, state: 'unknown', problem: null, message: outcome.unknown }
  return { check, state: 'ok', problem: null, message: outcome.ok }
}

function checkTag({ tag, widgetHashes }: Situation): Outcome {
  if (!tag) {
    return {
      problem: 'no-tag',
      message:
        'The HTML of the page has no widget tag: paste the tag above before the end of its body (the doctor cannot see a tag that a script adds later).',
    }
  }
  if (tag.inert) return { problem: 'inert-tag', message: inertMessage(tag.inert) }
  const expected = widgetHashes['widget.js']
  if (tag.integrity !== null && expected !== undefined) {
    if (!tag.integrity.split(/\s+/).includes(expected))
      return {
        problem: 'wrong-integrity',
        message:
          'The integrity hash of the tag does not match the widget of this server, so browsers refuse it: replace it with the hash below.',
      }
    if (!tag.hasCrossOrigin)
      return {
        problem: 'wrong-integrity',
        message:
          'The tag has an integrity hash without crossorigin="anonymous", so browsers refuse it: add that attribute.',
      }
  }
  return { ok: 'Tag found.' }
}

function inertMessage(inert: Inert): string {
  if (inert.kind === 'inside')
    return `The tag is inside a ${inert.element} element, where browsers do not run it: move it out.`
  if (inert.kind === 'nomodule') return 'The tag has the attribute nomodule, so browsers skip it: remove the attribute.'
  if (inert.type.toLowerCase() === 'module')
    return 'The tag has type="module", with which the widget does not start: remove the attribute.'
  return `The tag has type="${inert.type}", so browsers do not run it: remove the attribute, or let your consent tool enable the tag.`
}

function checkKey({ tag, keyOwner }: Situation): Outcome {
  if (!tag) return { unknown: 'Without a tag, there is no key to check.' }
  switch (keyOwner.kind) {
    case 'agent':
      return { ok: 'The key belongs to this agent.' }
    case 'former':
      return {
        problem: 'regenerated-key',
        message:
          'The tag has an earlier key of this agent, which stopped working when the keys were regenerated: replace it with the current one from the tag above.',
      }
    case 'private':
      return {
        problem: 'private-key',
        message:
          'The tag has a private key, which every visitor can read: regenerate the private key in API Settings now, and use the public key in the tag.',
      }
    case 'other-agent':
      return {
        problem: 'wrong-key',
        message: `The tag has the key of another agent, “${keyOwner.name}”: replace it with the key from the tag above.`,
      }
    case 'missing':
      return {
        problem: 'wrong-key',
        message: 'The tag has no data-key: replace it with the tag above, which has the key of this agent.',
      }
    case 'unknown':
      return {
        problem: 'wrong-key',
        message:
          'The tag has a key that no agent of your organization has: replace it with the key from the tag above.',
      }
  }
}

function checkOrigin({ page, allowedOrigins }: Situation): Outcome {
  if (allowedOrigins.length === 0) return { ok: 'The public key works on every website.' }
  if (allowedOrigins.includes(page.origin)) return { ok: `The public key works on pages of ${page.origin}.` }
  const near = allowedOrigins.find((origin) => withoutWww(new URL(origin)) === withoutWww(page))
  const only = near === undefined ? '' : `, only those of ${near}`
  return {
    problem: 'origin-not-allowed',
    message: `The public key does not accept pages of ${page.origin}${only}: add this origin to the allowed ones.`,
  }
}

/** The host without `www.`, whatever the scheme. */
function withoutWww({ host }: URL): string {
  return host.replace(/^www\./, '')
}

function checkScriptPolicy({ page, policies, tag, effective, server, widgetHashes }: Situation): Outcome {
  if (policies.length === 0) return { ok: 'The page has no Content-Security-Policy.' }
  const loader = { ...effective, url: server.href, isParserInserted: true }
  const blocking = policies.find((policy) => !allowsScript(policy, page, loader))
  if (blocking) return { problem: 'script-blocked', message: blockedScript(blocking, effective.nonce, server, tag) }
  const [name = 'widget-0.js', integrity = null] =
    Object.entries(widgetHashes).find(([name]) => name !== 'widget.js') ?? []
  const url = new URL(`/${name}`, server).href
  const panel = { url, nonce: effective.nonce, integrity, isParserInserted: false }
  if (!policies.every((policy) => allowsScript(policy, page, panel)))
    return {
      problem: 'script-blocked',
      message: `The page's Content-Security-Policy allows widget.js, but not the panel that it loads: allow all of ${server.origin} in script-src.`,
    }
  if (policies.some(requiresTypes) && policies.some(forbidsTrustedType))
    return {
      problem: 'script-blocked',
      message:
        "The page's Content-Security-Policy requires trusted types and does not allow the widget's: add sitelore to trusted-types.",
    }
  return { ok: "The page's Content-Security-Policy allows the script." }
}

function requiresTypes(policy: Policy): boolean {
  return policy.get('require-trusted-types-for')?.includes("'script'") ?? false
}

function forbidsTrustedType(policy: Policy): boolean {
  const names = policy.get('trusted-types')
  return names !== undefined && !names.includes('sitelore') && !names.includes('*')
}

function blockedScript(policy: Policy, nonce: string | null, server: URL, tag: WidgetTag | null): string {
  const [name = 'script-src', sources = []] = directiveOf(policy, scriptDirectives) ?? []
  const blocks = "The page's Content-Security-Policy blocks the script"
  if (sources.some((source) => source.startsWith("'nonce-"))) {
    return nonce && tag
      ? `${blocks}, because the nonce of the tag does not match ${name}: write the same new nonce into both with each response.`
      : `${blocks}: give the tag the nonce that ${name} has.`
  }
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'"))
    return `${blocks}, because ${name} has 'strict-dynamic', which ignores hosts: add a nonce to ${name} and to the tag.`
  if (name === 'default-src')
    return `${blocks}, because default-src applies to scripts: add the directive script-src ${sourcesWith(sources, server)}.`
  return `${blocks}: add ${server.origin} to ${name}.`
}

function checkConnectPolicy({ page, policies, server }: Situation): Outcome {
  if (policies.length === 0) return { ok: 'The page has no Content-Security-Policy.' }
  const calls = ['chat', 'search'].map((call) => `${server.origin}/v1/public/${call}`)
  const blocking = policies.find((policy) => !calls.every((call) => allowsCall(policy, page, call)))
  if (!blocking) return { ok: "The page's Content-Security-Policy allows the calls of the widget." }
  const [name, sources = []] = directiveOf(blocking, connectDirectives) ?? []
  const blocks = "The page's Content-Security-Policy blocks the calls of the widget"
  const message =
    name === 'default-src'
      ? `${blocks}, because default-src applies to them: add the directive connect-src ${sourcesWith(sources, server)}.`
      : `${blocks}: add ${server.origin} to connect-src.`
  return { problem: 'calls-blocked', message }
}

/** The sources of a new directive that still allows what default-src did. */
function sourcesWith(sources: readonly string[], server: URL): string {
  return [...sources.filter((source) => source.toLowerCase() !== "'none'"), server.origin].join(' ')
}

function checkMixedContent({ page, server }: Situation): Outcome {
  if (page.protocol === 'https:' && server.protocol === 'http:' && !isLoopback(server))
    return {
      problem: 'mixed-content',
      message: `The page uses https and the tag loads the widget over http from ${server.origin}, which browsers block: serve it over https, set PUBLIC_URL to that address, and use the tag above.`,
    }
  return { ok: "Browsers load the widget's address from this page." }
}

/** Browsers trust these over http (Secure Contexts, section 3.1). */
function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function checkServerAddress({ script, server, publicUrl, tag }: Situation): Outcome {
  const isOurs = server.origin === new URL(publicUrl).origin
  const copy = 'use the tag above'
  switch (script.kind) {
    case 'loaded':
      return { ok: `The widget is served at ${server.origin}.` }
    case 'wrong-host':
      return {
        problem: 'wrong-public-url',
        message: `The tag loads the widget from ${server.origin}, where this server responds 421 because its PUBLIC_URL is ${publicUrl}: ${copy}, or set PUBLIC_URL=${server.origin} and restart the server.`,
      }
    case 'redirected':
      return {
        problem: 'script-unreachable',
        message: `${server.href} redirects to ${script.to}, and browsers do not follow redirects of the widget's calls: ${tag && !isOurs ? copy : 'set PUBLIC_URL to the address after the redirect'}.`,
      }
    case 'status':
      return {
        problem: 'script-unreachable',
        message: `${server.href} responds with the status ${script.status}: ${tag && !isOurs ? copy : 'check the proxy in front of this server'}.`,
      }
    case 'no-script':
      return {
        problem: 'script-unreachable',
        message: `${server.href} responds with something other than a script: ${tag && !isOurs ? copy : 'check the proxy in front of this server'}.`,
      }
    case 'private-network':
      return {
        unknown: `${server.origin} is in a private network, so it was not checked: visitors outside this network cannot load the widget from there.`,
      }
    case 'failed':
      return isOurs
        ? { unknown: `This server cannot reach itself at ${server.origin}, so the address was not checked.` }
        : {
            problem: 'script-unreachable',
            message: `The tag loads the widget from ${server.origin}, which cannot be read (${script.message.replace(/\.$/, '')}): ${copy}.`,
          }
  }
}

function checkStreaming({ stream }: Situation): Outcome {
  if (stream === 'streamed') return { ok: 'Streaming works.' }
  if (stream === 'unknown') return { unknown: 'Whether answers arrive as they are written could not be measured.' }
  return {
    problem: 'buffered',
    message:
      'A proxy holds answers back until they are complete: turn off its response buffering for /v1 (in nginx: proxy_buffering off).',
  }
}

/** Why an agent gives no answers, by its status. */
const silentAgents: Partial<Record<AgentStatus, string>> = {
  [agentStatuses.error]: 'because recent answers failed: open its chat, which says why.',
  [agentStatuses.noCollection]: 'because it has no collection: link one.',
  [agentStatuses.noSources]: 'because its collection has no sources: add one.',
  [agentStatuses.noFragments]: 'because its collection has no data: wait until its sources are read, or add one.',
  [agentStatuses.disabled]: 'because it is disabled: enable it.',
  [agentStatuses.archived]: 'because it is archived: use the tag of another agent.',
  [agentStatuses.noProviderKey]: 'because it needs a provider API key: enter one in Agent Settings.',
  [agentStatuses.invalidProviderKey]: 'because the provider refused its API key: enter a valid one in Agent Settings.',
}

function checkAgent({ agentStatus, isDailyLimitReached }: Situation): Outcome {
  const reason = silentAgents[agentStatus]
  if (reason !== undefined) return { problem: 'agent-silent', message: `The agent cannot answer ${reason}` }
  if (isDailyLimitReached)
    return {
      problem: 'agent-silent',
      message:
        'The agent has reached its daily limit of answers: wait until tomorrow (UTC), or raise Daily messages in API Settings.',
    }
  return { ok: 'The agent can answer.' }
}
