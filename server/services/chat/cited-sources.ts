import type { CitedSource } from '../../../contract/views/chat/thread'
import type { MessageRow } from './threads/threads'

/** The fragments that an answer cites, in the order of its text, as everybody may see them. */
export function citedSources({ cited, fragments }: Pick<MessageRow, 'cited' | 'fragments'>): CitedSource[] {
  return cited.flatMap((number) => {
    const fragment = fragments[number - 1]
    if (!fragment) return []
    const { title, url, link, passage = null } = fragment
    return { number, title, url, link, passage }
  })
}
