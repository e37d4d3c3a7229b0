import type { Passage, Source } from './api'
import { element, link } from './markdown'

/** Where the icons of sites are. */
export interface Icons {
  /** '' until the agent is known. */
  path: string
  /** Whether the last one could be shown. The policy of the page may forbid them. */
  isShown?: Promise<boolean>
}

/** A list of sources: of each the page, its numbers in the answer, and the passage on one line. */
export function sourceItems(sources: Source[], icons: Icons): HTMLElement[] {
  return sources.flatMap(({ number, title, link: address, passage }) => {
    const anchor = link('', address)
    if (!anchor) return []
    const head = element('span', siteMark(address, icons), element('b', title), cite(number))
    head.className = 'head'
    anchor.append(head, passage ? marked(passage, true) : element('small', placeOf(address)))
    return element('li', anchor)
  })
}

/** The icon of a site; until it is there, the first letter of the site's name in a square. */
export function siteMark(address: string, icons: Icons): HTMLElement {
  const mark = element('i', (hostOf(address)[0] ?? '').toUpperCase())
  mark.setAttribute('aria-hidden', 'true')
  if (!icons.path) return mark
  const show = () =>
    new Promise<boolean>((resolve) => {
      const icon = element('img')
      icon.alt = ''
      icon.onload = () => {
        mark.replaceChildren(icon)
        resolve(true)
      }
      icon.onerror = () => resolve(false)
      icon.src = icons.path + new URL(address).host
    })
  // One after the other, so that the console has a single message about a policy that forbids them.
  icons.isShown = icons.isShown?.then((isShown) => isShown && show()) ?? show()
  return mark
}

/** Host and path of an address as a path of names, without the passage that it names. */
export function placeOf(address: string): string {
  const { pathname } = new URL(address)
  const parts = pathname.split('/').filter(Boolean).slice(0, -1)
  return [hostOf(address), ...parts.map(nameOf)].join(' › ')
}

/** A passage with its marks; on one line, it begins shortly before the first of them. */
export function marked({ text, highlights }: Passage, isLine = false): HTMLElement {
  const passage = element('span')
  passage.className = 'passage'
  const start = highlights[0]?.[0] ?? 0
  let from = isLine && start > maxLead ? text.indexOf(' ', start - maxLead) + 1 : 0
  if (from > 0) passage.append('… ')
  for (const [first, end] of highlights) {
    passage.append(text.slice(from, first), element('mark', text.slice(first, end)))
    from = end
  }
  passage.append(text.slice(from))
  return passage
}

/** Characters before the first mark of a passage on one line. */
const maxLead = 24

function cite(number: number): HTMLElement {
  const badge = element('span', String(number))
  badge.className = 'cite'
  return badge
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '')
}

function nameOf(part: string): string {
  try {
    return decodeURIComponent(part).replace(/[-_]+/g, ' ')
  } catch {
    return part
  }
}
