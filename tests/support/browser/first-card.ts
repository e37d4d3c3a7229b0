import { groupByPage } from '../../../app/components/search/group-by-page'
import type { FoundFragment } from '../../../contract/views/chat/search-results'

/** The first result of a search as it is shown before anything is opened: its page, and its passages. */
export function firstCard(fragments: FoundFragment[]): { url: string; text: string } {
  const [page] = groupByPage(fragments)
  if (!page) throw new Error('Nothing was found.')
  const shown = [page.best, ...page.others.slice(0, 2)]
  return { url: page.best.url, text: shown.map(({ passage }) => passage.text).join('\n') }
}
