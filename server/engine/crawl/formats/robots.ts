import { crawlLimits } from '../../limits'
import { escapeRest, plainPath, writtenPath } from '../urls/path-encoding'

interface Rule {
  allow: boolean
  /** Longer patterns win. */
  length: number
  matches(path: string): boolean
}

/** What a site's robots.txt says to one crawler. */
export interface RobotsRules {
  /** `address` as the URL standard writes it. */
  isAllowed(address: string): boolean
  /** Milliseconds between two requests, at most 30 s; null when nothing is asked for. */
  crawlDelayMs: number | null
  /** Addresses of sitemaps, as they stand in the file, absolute. */
  sitemaps: string[]
}

interface Group {
  agents: string[]
  rules: Rule[]
  /** `after`: how many of the agents were named by then. */
  delays: { after: number; ms: number }[]
}

type Field = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

/** Names of lines, with the misspellings that are met often. */
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

/** The text of a robots.txt: UTF-8, or UTF-16 where the file starts with its mark. */
export function decodeRobots(body: Uint8Array): string {
  const isLittle = body[0] === 0xff && body[1] === 0xfe
  const isBig = body[0] === 0xfe && body[1] === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(body)
}

/**
 * Reads a robots.txt by RFC 9309: groups of one agent are merged, the longest pattern wins and allow wins a tie, `*`
 * and `$` are understood, paths are compared in one percent-encoding. Crawl-delay and Sitemap are the usual additions;
 * misspelled names, missing colons and index.html are read as google/robotstxt does. A web page gives no rules.
 * `agent` is the product token, without version; `base` is the address of the file.
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
    const place = agents.indexOf(chosenAgent)
    return delays.filter(({ after }) => place < after)
  })
  return {
    isAllowed(address) {
      const path = pathOf(address)
      // The file itself may always be read (RFC 9309, 2.2.2).
      if (path === '/robots.txt') return true
      const plain = plainPath(path)
      // What opens is taken by the letter, as Google does, what closes in every spelling: in doubt we stay out.
      const written = writtenPath(path)
      return rules.find((rule) => rule.matches(rule.allow ? written : plain))?.allow ?? true
    },
    crawlDelayMs: delays.length > 0 ? Math.max(...delays.map(({ ms }) => ms)) : null,
    sitemaps,
  }
}

/** Path and query of an address. */
function pathOf(address: string): string {
  const scheme = address.indexOf('://')
  const rest = address.slice(scheme < 0 ? 0 : scheme + 3)
  const start = rest.search(/[/?#]/)
  const path = start < 0 ? '' : (rest.slice(start).split('#', 1)[0] ?? '')
  return path.startsWith('/') ? path : `/${path}`
}

function readGroups(text: string, base: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps = new Set<string>()
  let group: Group | null = null
  /** Agents that stand in a row share their rules; only a rule ends the row (RFC 9309, 2.2.1 and 2.2.4). */
  let namesAgents = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const { field, value } = fieldOf(line)
    if (field === 'user-agent') {
      if (!group || !namesAgents) {
        group = { agents: [], rules: [], delays: [] }
        groups.push(group)
      }
      namesAgents = true
      group.agents.push(agentToken(value))
    } else if (field === 'sitemap') {
      // Belongs to no group.
      if (URL.canParse(value, base)) sitemaps.add(new URL(value, base).href)
    } else if (field === 'allow' || field === 'disallow') {
      namesAgents = false
      if (value !== '') group?.rules.push(...rulesOf(value, field === 'allow'))
    } else if (field === 'crawl-delay') {
      const ms = Number.parseFloat(value) * 1000
      // Said to those named so far: it stands within the row, or ends a group.
      if (group && ms > 0) {
        group.delays.push({ after: group.agents.length, ms: Math.min(ms, crawlLimits.robots.crawlDelayMs) })
      }
    }
  }
  return { groups, sitemaps: [...sitemaps] }
}

/** A line as name and value; blanks in place of the colon are enough where they leave exactly two words. */
function fieldOf(line: string): { field: Field | null; value: string } {
  const said = line.split('#', 1)[0]?.trim() ?? ''
  if (/^https?:\/\/\S+\.xml(\.gz)?$/i.test(said)) return { field: 'sitemap', value: said }
  const colon = said.indexOf(':')
  const words = colon < 0 ? said.split(/\s+/, 3) : [said.slice(0, colon).trim(), said.slice(colon + 1).trim()]
  const [name = '', value = ''] = words
  return { field: words.length === 2 ? (fields[name.toLowerCase()] ?? null) : null, value }
}

/** 'Sitelore/1.0 (…)' names sitelore. */
function agentToken(value: string): string {
  return /^\*(\s|$)/.test(value) ? '*' : (/^[\w-]+/.exec(value)?.[0] ?? '').toLowerCase()
}

function rulesOf(pattern: string, allow: boolean): Rule[] {
  const folder = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  const isFront = allow && folder !== '' && pattern.slice(folder.length).startsWith('index.htm')
  const rule = ruleOf(pattern, allow)
  // Whoever opens a folder's index opens the folder's own address.
  return isFront ? [rule, ruleOf(`${folder}$`, allow)] : [rule]
}

function ruleOf(pattern: string, allow: boolean): Rule {
  const plain = allow ? escapeRest(writtenPath(pattern)) : plainPath(pattern)
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
