import { parseUrl } from '../../../../contract/values/url'
import { crawlLimits } from '../../limits'
import { escapeRest, literalPath, normalizePath } from '../urls/path-encoding'

interface Rule {
  allow: boolean
  /** Longer patterns win. */
  length: number
  matches(path: string): boolean
}

/** The rules of a robots.txt for one crawler. */
export interface RobotsRules {
  /** `url` as the URL standard serializes it. */
  isAllowed(url: string): boolean
  /** Milliseconds between two requests, at most 30 s; null without a Crawl-delay. */
  crawlDelayMs: number | null
  /** Absolute URLs of the sitemaps. */
  sitemaps: string[]
}

interface Group {
  agents: string[]
  rules: Rule[]
  /** `after`: number of agents named before the delay. */
  delays: { after: number; ms: number }[]
}

type Field = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

/** Names of lines, with frequent misspellings. */
const fields: Record<string, Field> = {
  'user-agent': 'user-agent',
  'user agent': 'user-agent',
  useragent: 'user-agent',
  'useg-agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  desallow: 'disallow',
  'crawl-delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
}

export const allowAll: RobotsRules = { isAllowed: () => true, crawlDelayMs: null, sitemaps: [] }

/** Decodes a robots.txt: UTF-8, or UTF-16 with a byte order mark. */
export function decodeRobots(body: Uint8Array): string {
  const isLittle = body[0] === 0xff && body[1] === 0xfe
  const isBig = body[0] === 0xfe && body[1] === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(body)
}

/**
 * Parses a robots.txt by RFC 9309: groups of one agent are merged, the longest pattern wins and allow wins a tie, `*`
 * and `$` are supported, paths are compared in one percent-encoding. Also reads Crawl-delay and Sitemap. Treats
 * misspelled names, missing colons and index.html as google/robotstxt does. An HTML page has no rules. `agent` is the
 * product token without version; `base` is the URL of the file.
 */
export function parseRobots(text: string, agent: string, base: string): RobotsRules {
  if (/^[\s\ufeff]*<(!doctype|html|head|body|meta|\?xml)/i.test(text)) return allowAll
  const { groups, sitemaps } = readGroups(text, base)
  const token = agent.toLowerCase()
  const named = groups.filter((group) => token !== '' && group.agents.includes(token))
  const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'))
  const chosenAgent = named.length > 0 ? token : '*'
  const rules = chosen
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  const delays = chosen.flatMap(({ agents, delays }) => {
    const position = agents.indexOf(chosenAgent)
    return delays.filter(({ after }) => position < after)
  })
  return {
    isAllowed(url) {
      const path = pathOf(url)
      // The file itself may always be read (RFC 9309, 2.2.2).
      if (path === '/robots.txt') return true
      // Allow rules match literally, as Google does; disallow rules match every spelling of the path.
      const normalized = normalizePath(path)
      const literal = literalPath(path)
      return rules.find((rule) => rule.matches(rule.allow ? literal : normalized))?.allow ?? true
    },
    crawlDelayMs: delays.length > 0 ? Math.max(...delays.map(({ ms }) => ms)) : null,
    sitemaps,
  }
}

/** Path and query. */
function pathOf(url: string): string {
  const scheme = url.indexOf('://')
  const rest = url.slice(scheme < 0 ? 0 : scheme + 3)
  const start = rest.search(/[/?#]/)
  const path = start < 0 ? '' : (rest.slice(start).split('#', 1)[0] ?? '')
  return path.startsWith('/') ? path : `/${path}`
}

function readGroups(text: string, base: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps = new Set<string>()
  let group: Group | null = null
  /** Consecutive user-agent lines share their rules; only a rule ends the sequence (RFC 9309, 2.2.1 and 2.2.4). */
  let isInAgents = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const { field, value } = fieldOf(line)
    if (field === 'user-agent') {
      if (!group || !isInAgents) {
        group = { agents: [], rules: [], delays: [] }
        groups.push(group)
      }
      isInAgents = true
      group.agents.push(agentToken(value))
    } else if (field === 'sitemap') {
      // Outside all groups.
      const sitemap = parseUrl(value, base)
      if (sitemap) sitemaps.add(sitemap.href)
    } else if (field === 'allow' || field === 'disallow') {
      isInAgents = false
      if (value !== '') group?.rules.push(...rulesOf(value, field === 'allow'))
    } else if (field === 'crawl-delay') {
      const ms = Number.parseFloat(value) * 1000
      // Applies to the agents named so far: it may be within the sequence or at the end of a group.
      if (group && ms > 0) {
        group.delays.push({ after: group.agents.length, ms: Math.min(ms, crawlLimits.robots.crawlDelayMs) })
      }
    }
  }
  return { groups, sitemaps: [...sitemaps] }
}

/** A line as name and value. A space replaces the colon where the line has exactly two words. */
function fieldOf(line: string): { field: Field | null; value: string } {
  const content = line.split('#', 1)[0]?.trim() ?? ''
  if (/^https?:\/\/\S+\.xml(\.gz)?$/i.test(content)) return { field: 'sitemap', value: content }
  const colon = content.indexOf(':')
  const words = colon < 0 ? content.split(/\s+/, 3) : [content.slice(0, colon).trim(), content.slice(colon + 1).trim()]
  const [name = '', value = ''] = words
  return { field: words.length === 2 ? (fields[name.toLowerCase()] ?? null) : null, value }
}

/** 'sitelore' of 'Sitelore/1.0 (…)'. */
function agentToken(value: string): string {
  return /^\*(\s|$)/.test(value) ? '*' : (/^[\w-]+/.exec(value)?.[0] ?? '').toLowerCase()
}

function rulesOf(pattern: string, allow: boolean): Rule[] {
  const folder = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  const isIndex = allow && folder !== '' && pattern.slice(folder.length).startsWith('index.htm')
  const rule = ruleOf(pattern, allow)
  // Allowing a folder's index.html allows the folder itself.
  return isIndex ? [rule, ruleOf(`${folder}$`, allow)] : [rule]
}

function ruleOf(pattern: string, allow: boolean): Rule {
  const escaped = allow ? escapeRest(literalPath(pattern)) : normalizePath(pattern)
  const isAnchored = escaped.endsWith('$')
  const parts = (isAnchored ? escaped.slice(0, -1) : escaped).split(/\*+/)
  return { allow, length: escaped.length, matches: (path) => matchesParts(path, parts, isAnchored) }
}

/** Finds each part at its first occurrence, and the last part at the end of an anchored pattern: linear in the path. */
function matchesParts(path: string, parts: string[], isAnchored: boolean): boolean {
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  let position = first.length
  const last = others.pop()
  for (const part of others) {
    const found = path.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  if (last === undefined) return !isAnchored || position === path.length
  return isAnchored ? path.length - last.length >= position && path.endsWith(last) : path.includes(last, position)
}
