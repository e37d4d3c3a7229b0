import parseContentSecurityPolicy from 'content-security-policy-parser'

/** The directives of one policy by name. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** Parses the policies of a header, of which a page can have several, separated by commas. */
export function parsePolicies(header: string): Policy[] {
  return header
    .split(',')
    .map((policy) => parseContentSecurityPolicy(policy))
    .filter((policy) => policy.size > 0)
}

/** Directives about scripts of elements, and about calls, each with those that apply in its absence. */
const scriptDirectives = ['script-src-elem', 'script-src', 'default-src']
const connectDirectives = ['connect-src', 'default-src']

/** Whether a policy lets a page load a script of its HTML (CSP 3, section 6.7.1.1). */
export function allowsScript(
  policy: Policy,
  page: URL,
  script: { url: URL; nonce: string | null; hash: string | null },
) {
  const sources = sourcesOf(policy, scriptDirectives)
  if (!sources) return true
  if (script.nonce && sources.includes(`'nonce-${script.nonce}'`)) return true
  if (script.hash && sources.includes(`'${script.hash}'`)) return true
  // With it, hosts are ignored.
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  return sources.some((source) => matchesSource(source, script.url, page))
}

/** Whether a policy lets a page call an address. */
export function allowsCall(policy: Policy, page: URL, url: URL): boolean {
  const sources = sourcesOf(policy, connectDirectives)
  return !sources || sources.some((source) => matchesSource(source, url, page))
}

function sourcesOf(policy: Policy, directives: string[]): readonly string[] | undefined {
  const name = directives.find((directive) => policy.has(directive))
  return name === undefined ? undefined : policy.get(name)
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^\s:/?#*]+|\[[^\]]+\])(?::(\d+|\*))?(\/[^\s?#]*)?$/i

/** Matches an http(s) URL with one source of a directive (CSP 3, section 6.7.2.8). */
function matchesSource(source: string, url: URL, page: URL): boolean {
  if (source === '*') return true
  if (source.toLowerCase() === "'self'") return url.origin === page.origin || url.origin === encrypted(page)
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return matchesScheme(source, url)
  const [, scheme, host = '', port, path = '/'] = hostSource.exec(source) ?? []
  return (
    matchesScheme(scheme === undefined ? page.protocol : `${scheme}:`, url) &&
    matchesHost(host.toLowerCase(), url) &&
    (port === '*' || (port === undefined ? url.port === '' : port === portOf(url))) &&
    (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)
  )
}

function matchesHost(expected: string, { hostname }: URL): boolean {
  if (expected === '*') return true
  return expected.startsWith('*.') ? hostname.endsWith(expected.slice(1)) : hostname === expected
}

/** The origin of a page with https, at its default port. */
function encrypted({ protocol, host, port }: URL): string | null {
  return protocol === 'http:' && port === '' ? `https://${host}` : null
}

/** A source with an unencrypted scheme includes the encrypted one. */
function matchesScheme(expected: string, { protocol }: URL): boolean {
  const scheme = expected.toLowerCase()
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:')
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
