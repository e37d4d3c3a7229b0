import type { FoundFragment } from '../../../contract/views/chat/search-results'

/** The fragments of one page or file, best first. */
export interface FoundPage {
  best: FoundFragment
  others: FoundFragment[]
}

/** Groups found fragments by their page, in the order of the best fragment of each. */
export function groupByPage(fragments: FoundFragment[]): FoundPage[] {
  const pages = new Map<string, FoundPage>()
  for (const fragment of fragments) {
    const key = fragment.address_id ?? fragment.url
    const page = pages.get(key)
    if (page) page.others.push(fragment)
    else pages.set(key, { best: fragment, others: [] })
  }
  return [...pages.values()]
}
