import { crawlLimits } from '../limits'

interface Rule {
  allow: boolean
  /** Longer patterns win. */
  length: number
  matches(path: string): boolean
}

/** What a site's robots.txt says to one crawler. */
export interface RobotsRules {
  isAllowed(address: string): boolean
  /** Milliseconds between two requests, at most 30 s; null when nothing is asked for. */
  crawlDelayMs: number | null
  /** Addresses of sitemaps, as they stand in the file, absolute. */
  sitemaps: string[]
}

interface Group {
  agents: string[]
  rules: Rule[]
  crawlDelayMs: number | null
}

export const allowAll: RobotsRules = { isAllowed: () => true, crawlDelayMs: null, sitemaps: [] }

/**
 * Reads a robots.txt by RFC 9309: groups of one agent are merged, the longest pattern wins and allow wins a tie, `*`
 * and `$` are understood, paths are compared in one percent-encoding. Crawl-delay and Sitemap are the usual additions.
 * `agent` is the product token, without version; `base` is the address of the file.
 */
export function parseRobots(text: string, agent: string, base: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text, base)
  const token = agent.toLowerCase()
  const named = groups.filter((group) => group.agents.includes(token))
  const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'))
  const rules = chosen
    .flatMap((group) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  const delays = chosen.flatMap((group) => group.crawlDelayMs ?? [])
  return {
    isAllowed(address) {
      const url = new URL(address)
      // The file itself may always be read (RFC 9309, 2.2.2).
      if (url.pathname === '/robots.txt') return true
      const path = plainEncoding(url.pathname + url.search)
      return rules.find((rule) => rule.matches(path))?.allow ?? true
    },
    crawlDelayMs: delays.length > 0 ? Math.max(...delays) : null,
    sitemaps,
  }
}

function readGroups(text: string, base: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let group: Group | null = null
  /** Agents that stand in a row share their rules; a rule ends the row. */
  let namesAgents = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, field = '', rest = ''] = /^\s*([A-Za-z-]+)\s*:(.*)$/.exec(line.replace(/#.*$/, '')) ?? []
    const name = field.toLowerCase()
    const value = rest.trim()
    if (name === 'user-agent') {
      if (!group || !namesAgents) {
        group = { agents: [], rules: [], crawlDelayMs: null }
        groups.push(group)
      }
      namesAgents = true
      group.agents.push(agentToken(value))
    } else if (name === 'sitemap') {
      // Belongs to no group, and does not end one.
      if (URL.canParse(value, base)) sitemaps.push(new URL(value, base).href)
    } else if (name === 'allow' || name === 'disallow') {
      namesAgents = false
      if (value !== '') group?.rules.push(ruleOf(value, name === 'allow'))
    } else if (name === 'crawl-delay') {
      namesAgents = false
      const seconds = Number.parseFloat(value)
      if (group && seconds > 0) group.crawlDelayMs = Math.min(seconds * 1000, crawlLimits.robots.crawlDelayMs)
    }
  }
  return { groups, sitemaps: [...new Set(sitemaps)] }
}

/** 'Sitelore/1.0 (…)' names sitelore. */
function agentToken(value: string): string {
  return value === '*' ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase()
}

function ruleOf(pattern: string, allow: boolean): Rule {
  const plain = plainEncoding(pattern)
  const toEnd = plain.endsWith('$')
  const parts = (toEnd ? plain.slice(0, -1) : plain).split(/\*+/)
  return { allow, length: plain.length, matches: (path) => matchesParts(path, parts, toEnd) }
}

/** Each part is found at its first place, the last one at the end where asked for; linear in the path for every part. */
function matchesParts(path: string, parts: string[], toEnd: boolean): boolean {
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = others.pop()
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (last === undefined) return !toEnd || at === path.length
  return toEnd ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at)
}

/**
 * One spelling for one path: what needs no escape is written plainly, all else escaped in upper case, so that `/ä`,
 * `/%c3%a4` and `/%C3%A4` are equal (RFC 9309, 2.2.2). An escaped slash stays another character than a slash.
 */
function plainEncoding(path: string): string {
  return path
    .replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
      const sign = String.fromCharCode(Number.parseInt(hex, 16))
      return /[\w.~-]/.test(sign) ? sign : escaped.toUpperCase()
    })
    .replace(/[^\x21-\x7e]+/gu, (signs) => encodeURIComponent(signs))
}
