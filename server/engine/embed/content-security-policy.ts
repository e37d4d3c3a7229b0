import parseContentSecurityPolicy from 'content-security-policy-parser'

/** The directives of one policy by name. */
export type Policy = ReadonlyMap<string, readonly string[]>

export interface ScriptRequest {
  url: string
  nonce: string | null
  /** The hashes that the element requires; null without the attribute. */
  integrity: string | null
  /** Whether the HTML has the element, rather than a script that has inserted it. */
  isParserInserted: boolean
}

/** Parses the policies of a header, of which a page can have several, separated by commas. */
export function parsePolicies(header: string): Policy[] {
  return header
    .split(',')
    .map((policy) => parseContentSecurityPolicy(policy))
    .filter((policy) => policy.size > 0)
}

/** Returns the name and the sources of the first of the directives that the policy has; null without any. */
export function directiveOf(policy: Policy, names: readonly string[]): [string, readonly string[]] | null {
  for (const name of names) {
    const sources = policy.get(name)
    if (sources) return [name, sources]
  }
  return null
}

/** Directives about scripts of elements, and about calls, each with those that apply in its absence. */
export const scriptDirectives = ['script-src-elem', 'script-src', 'default-src'] as const
export const connectDirectives = ['connect-src', 'default-src'] as const

/** Whether a policy lets a page load a script (CSP 3, sections 6.1.11 and 6.7.1.1). */
export function allowsScript(policy: Policy, page: URL, { url, nonce, integrity, ...script }: ScriptRequest): boolean {
  const [, sources] = directiveOf(policy, scriptDirectives) ?? []
  if (!sources) return true
  if (nonce && sources.includes(`'nonce-${nonce}'`)) return true
  const hashes = (integrity ?? '').split(/\s+/).filter(Boolean)
  if (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`))) return true
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return !script.isParserInserted
  return sources.some((source) => matchesSource(source, new URL(url), page))
}

/** Whether a policy lets a page call an address. */
export function allowsCall(policy: Policy, page: URL, url: string): boolean {
  const [, sources] = directiveOf(policy, connectDirectives) ?? []
  return !sources || sources.some((source) => matchesSource(source, new URL(url), page))
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^\s:/?#*]+|\[[^\]]+\])(?::(\d+|\*))?(\/[^\s?#]*)?$/i
const networkSchemes = ['http:', 'https:', 'ws:', 'wss:']

/** Matches a URL with one source of a directive (CSP 3, section 6.7.2.8). */
function matchesSource(source: string, url: URL, page: URL): boolean {
  if (source === '*') return networkSchemes.includes(url.protocol) || url.protocol === page.protocol
  if (source.toLowerCase() === "'self'") return isSelf(url, page)
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return matchesScheme(source.toLowerCase(), url.protocol)
  const [, scheme, host, port, path] = hostSource.exec(source) ?? []
  if (host === undefined) return false
  const expected = scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`
  return (
    matchesScheme(expected, url.protocol) &&
    matchesHost(host.toLowerCase(), url.hostname) &&
    matchesPort(port, url) &&
    matchesPath(path, url.pathname)
  )
}

/** A source with an unencrypted scheme includes the encrypted one. */
function matchesScheme(expected: string, scheme: string): boolean {
  if (expected === scheme) return true
  if (expected === 'http:') return scheme === 'https:'
  if (expected === 'ws:') return networkSchemes.slice(0, 2).includes(scheme) || scheme === 'wss:'
  return expected === 'wss:' && scheme === 'https:'
}

function matchesHost(expected: string, host: string): boolean {
  if (expected === '*') return true
  return expected.startsWith('*.') ? host.endsWith(expected.slice(1)) : host === expected
}

/** A source without a port means the default one. `URL` leaves a default port out. */
function matchesPort(expected: string | undefined, url: URL): boolean {
  if (expected === '*') return true
  const port = url.port || defaultPort(url.protocol)
  if (expected === undefined) return url.port === ''
  return port === expected || (expected === '80' && port === '443')
}

function matchesPath(expected: string | undefined, path: string): boolean {
  if (expected === undefined || expected === '/') return true
  return expected.endsWith('/') ? path.startsWith(expected) : path === expected
}

/** The page's own origin, and the same host with an encrypted scheme where both ports are the default ones. */
function isSelf(url: URL, page: URL): boolean {
  if (url.origin === page.origin) return true
  const samePort = url.port === page.port || (url.port === '' && page.port === '')
  return url.hostname === page.hostname && samePort && matchesScheme(page.protocol, url.protocol)
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' || protocol === 'wss:' ? '443' : '80'
}
