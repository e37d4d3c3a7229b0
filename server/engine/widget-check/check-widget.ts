import type { WidgetCheckName, WidgetFinding } from '../../../contract/chat/widget-check'
import { allowsCall, allowsScript } from './content-security-policy'
import type { WidgetPage } from './read-widget-tag'

/** Whose key the tag has. */
export type KeyOwner = { kind: 'agent' | 'former' | 'private' | 'unknown' } | { kind: 'other-agent'; name: string }

/** What is known besides the page. */
export interface WidgetFacts {
  publicUrl: string
  keyOwner: KeyOwner
  /** Empty for any. */
  allowedOrigins: string[]
  /** The hash of this server's loader; null before the widget is built. */
  loaderHash: string | null
  /** Why the loader cannot be read at its address; null if it can, or was not asked for. */
  loaderFailure: string | null
}

/** What is wrong, and what to do; null if nothing is. */
type Problem = string | null

/** Says for each check whether it keeps the widget from working on a page. */
export function checkWidget(page: WidgetPage, facts: WidgetFacts): WidgetFinding[] {
  const checks: [WidgetCheckName, Problem, string][] = [
    ['loader', loaderProblem(page, facts), 'The page loads the widget.'],
    [
      'key',
      keyProblem(page, facts),
      page.tag ? 'The key belongs to this agent.' : 'Without a tag, there is no key to check.',
    ],
    ['origin', originProblem(page, facts), `The public key works on pages of ${page.url.origin}.`],
    ['policy', policyProblem(page, facts), 'No Content-Security-Policy blocks the widget.'],
  ]
  return checks.map(([check, problem, ok]) => ({ check, isProblem: problem !== null, message: problem ?? ok }))
}

function loaderProblem({ url, tag }: WidgetPage, { loaderHash, loaderFailure, publicUrl }: WidgetFacts): Problem {
  if (!tag) return 'The HTML of the page has no widget tag: paste the tag above before the end of its body.'
  if (!tag.isRun)
    return 'Browsers do not run the tag: move it into the body, without a type, or let your consent tool enable it.'
  const isLocal = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(tag.src.hostname)
  if (url.protocol === 'https:' && tag.src.protocol === 'http:' && !isLocal) {
    return `The page uses https and the tag loads the widget over http, which browsers block: set PUBLIC_URL to an https address of this server, and use the tag above.`
  }
  if (tag.integrity !== null && loaderHash !== null && !tag.integrity.split(/\s+/).includes(loaderHash)) {
    return 'The integrity hash of the tag does not match the widget of this server: replace it with the hash below.'
  }
  if (loaderFailure === null) return null
  const remedy = tag.src.origin === new URL(publicUrl).origin ? 'check the proxy in front of it' : 'use the tag above'
  return `${tag.src.href} ${loaderFailure}: ${remedy}.`
}

function keyProblem({ tag }: WidgetPage, { keyOwner }: WidgetFacts): Problem {
  if (!tag) return null
  if (tag.key === null)
    return 'The tag has no data-key: replace it with the tag above, which has the key of this agent.'
  switch (keyOwner.kind) {
    case 'agent':
      return null
    case 'former':
      return 'The tag has a key that stopped working when the keys were regenerated: use the key of the tag above.'
    case 'private':
      return 'The tag has a private key, which every visitor can read: regenerate the private key in API Settings now, and use the public key of the tag above.'
    case 'other-agent':
      return `The tag has the key of another agent, “${keyOwner.name}”: use the key of the tag above.`
    case 'unknown':
      return 'The tag has a key that no agent of your organization has: use the key of the tag above.'
  }
}

function originProblem({ url }: WidgetPage, { allowedOrigins }: WidgetFacts): Problem {
  if (allowedOrigins.length === 0 || allowedOrigins.includes(url.origin)) return null
  return `The public key does not accept pages of ${url.origin}: add this origin to the allowed ones.`
}

/** A page without a tag is checked as if it had the one of the snippet. */
function policyProblem({ url, tag, policies }: WidgetPage, { publicUrl }: WidgetFacts): Problem {
  const server = tag?.src ?? new URL('/widget.js', publicUrl)
  const script = { nonce: tag?.nonce ?? null, hash: tag?.integrity ?? null }
  // The loader imports the panel.
  const scripts = [server, new URL('/widget-panel.js', server)]
  const calls = ['chat', 'search'].map((call) => new URL(`/v1/public/${call}`, server))
  const blocked: string[] = []
  const allows = (file: URL) => policies.every((policy) => allowsScript(policy, url, { ...script, url: file }))
  if (!scripts.every(allows)) blocked.push('script-src')
  if (!calls.every((call) => policies.every((policy) => allowsCall(policy, url, call)))) blocked.push('connect-src')
  if (blocked.length === 0) return null
  return `The page's Content-Security-Policy blocks the widget: add ${server.origin} to ${blocked.join(' and ')}, or give the tag the nonce of the page.`
}
