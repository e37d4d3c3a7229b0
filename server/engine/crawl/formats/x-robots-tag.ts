/** The directives of an X-Robots-Tag header for one crawler. */
export interface RobotsHeader {
  noindex: boolean
  nofollow: boolean
  /** When the page asks to leave the index, in milliseconds since 1970. */
  unavailableAfter: number | null
}

/** Directives with a value: their name before the colon is not that of a crawler. */
const valued = /^(unavailable_after|max-[a-z-]+)$/
const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*$/

/**
 * Parses the header, with repeated headers joined by commas. Directives after a crawler's name apply to that crawler
 * until the next name. A date may contain a comma after its weekday; an invalid date is ignored.
 */
export function parseRobotsHeader(header: string, agent: string): RobotsHeader {
  const result: RobotsHeader = { noindex: false, nofollow: false, unavailableAfter: null }
  const parts = header.toLowerCase().split(',')
  let isForUs = true
  for (let index = 0; index < parts.length; index++) {
    const { name, rest } = namedPart(parts[index] ?? '')
    const isAgent = name !== '' && !valued.test(name)
    if (isAgent) isForUs = name.split('/', 1)[0] === agent.toLowerCase()
    const directive = isAgent ? namedPart(rest) : { name, rest }
    if (directive.name === 'unavailable_after') {
      const isSplit = weekday.test(directive.rest)
      if (isSplit) index++
      if (isForUs) applyDate(result, isSplit ? `${directive.rest}, ${parts[index] ?? ''}` : directive.rest)
    } else if (isForUs) {
      const words = directive.rest.split(/\s+/)
      result.noindex ||= words.includes('noindex') || words.includes('none')
      result.nofollow ||= words.includes('nofollow') || words.includes('none')
    }
  }
  return result
}

/** The text before the first colon, if it can be a name, and the rest. */
function namedPart(part: string): { name: string; rest: string } {
  const colon = part.indexOf(':')
  const name = colon < 0 ? '' : part.slice(0, colon).trim()
  return /^[a-z][\w./-]*$/.test(name) ? { name, rest: part.slice(colon + 1).trim() } : { name: '', rest: part.trim() }
}

/** The earliest date wins. */
function applyDate(result: RobotsHeader, date: string): void {
  const time = Date.parse(date.trim())
  if (Number.isNaN(time)) return
  result.unavailableAfter = result.unavailableAfter === null ? time : Math.min(result.unavailableAfter, time)
}
