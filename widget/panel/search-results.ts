import type { Hit } from './api'
import { element, link } from './markdown'
import { type Icons, marked, placeOf, siteMark } from './sources'
import type { Texts } from './texts'

/** The pages that a search found, each with the passage that answers and its marked words. */
export function searchResults(hits: Hit[], texts: Texts, icons: Icons): HTMLElement {
  if (hits.length === 0) return element('p', texts.nothing)
  const pages = [...new Map(hits.map((hit) => [hit.url, hit])).values()]
  const list = element(
    'ul',
    ...pages.map((hit) => {
      const place = element('small', siteMark(hit.link, icons), placeOf(hit.link))
      const parts = [place, element('b', hit.title), marked(hit.passage)]
      const anchor = link('', hit.link)
      if (!anchor) return element('li', ...parts)
      anchor.append(...parts)
      return element('li', anchor)
    }),
  )
  list.className = 'results'
  list.setAttribute('aria-label', texts.results.replace('%n', String(pages.length)))
  return list
}
