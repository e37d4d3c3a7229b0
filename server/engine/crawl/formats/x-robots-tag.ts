/** What an X-Robots-Tag header says to one crawler. */
export interface RobotsHeader {
  noindex: boolean
  nofollow: boolean
  /** From when on the page asks to be left out, in milliseconds since 1970. */
  unavailableAfter: number | null
}

/** Directives with a value, so that their name before the colon is no crawler's. */
const valued = /^(unavailable_after|max-[a-z-]+)$/
const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*$/

/**
 * Reads the header with its repetitions joined by commas. What follows a crawler's name is for that crawler alone, up to
 * the next name. A date may hold the comma behind its weekday; one that cannot be read is left out.
 */
export function parseRobotsHeader(header: string, agent: string): RobotsHeader {
  const said: RobotsHeader = { noindex: false, nofollow: false, unavailableAfter: null }
  const parts = header.toLowerCase().split(',')
  let isForUs = true
  for (let at = 0; at < parts.length; at++) {
    const { name, rest } = namedPart(parts[at] ?? '')
    const isAgent = name !== '' && !valued.test(name)
    if (isAgent) isForUs = name.split('/', 1)[0] === agent.toLowerCase()
    const directive = isAgent ? namedPart(rest) : { name, rest }
    if (directive.name === 'unavailable_after') {
      const isCut = weekday.test(directive.rest)
      if (isCut) at++
      if (isForUs) leaveOutFrom(said, isCut ? `${directive.rest}, ${parts[at] ?? ''}` : directive.rest)
    } else if (isForUs) {
      const words = directive.rest.split(/\s+/)
      said.noindex ||= words.includes('noindex') || words.includes('none')
      said.nofollow ||= words.includes('nofollow') || words.includes('none')
    }
  }
  return said
}

/** What stands before the first colon, if it can be a name, and what follows. */
function namedPart(part: string): { name: string; rest: string } {
  const colon = part.indexOf(':')
  const name = colon < 0 ? '' : part.slice(0, colon).trim()
  return /^[a-z][\w./-]*$/.test(name) ? { name, rest: part.slice(colon + 1).trim() } : { name: '', rest: part.trim() }
}

/** The earliest of several. */
function leaveOutFrom(said: RobotsHeader, date: string): void {
  const time = Date.parse(date.trim())
  if (Number.isNaN(time)) return
  said.unavailableAfter = said.unavailableAfter === null ? time : Math.min(said.unavailableAfter, time)
}
