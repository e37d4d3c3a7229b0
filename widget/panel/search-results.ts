import { placeOf } from './answer'
import type { Hit } from './api'
import { element, link } from './markdown'
import type { Texts } from './texts'

/** The pages that a search found, each with the passage that answers and its marked words. */
export function searchResults(hits: Hit[], texts: Texts): HTMLElement {
  if (hits.length === 0) return element('p', texts.nothing)
  const pages = [...new Map(hits.map((hit) => [hit.url, hit])).values()]
  const list = element(
    'ul',
    ...pages.map((hit) => {
      const card = element('span', element('b', hit.title), element('small', placeOf(hit.link)), marked(hit.passage))
      const anchor = link('', hit.link)
      if (!anchor) return element('li', card)
      anchor.append(card)
      return element('li', anchor)
    }),
  )
  list.className = 'cards'
  list.setAttribute('aria-label', texts.results.replace('%n', String(pages.length)))
  return list
}

function marked({ text, highlights }: Hit['passage']): HTMLElement {
  const passage = element('span')
  let from = 0
  for (const [start, end] of highlights) {
    passage.append(text.slice(from, start), element('mark', text.slice(start, end)))
    from = end
  }
  passage.append(text.slice(from))
  return passage
}
