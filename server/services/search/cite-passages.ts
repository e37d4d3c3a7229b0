import { passageLink } from '../../../contract/texts/pages/passage-link'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { citingSentences } from '../../engine/answering/citing-sentences'
import type { Embedder, Tokenizer } from '../../engine/ports/search-index'
import { citedPassage } from '../../engine/search/passage/cited-passage'

interface Deps {
  tokenizer: Tokenizer
  embedding: { embedder(): Embedder | null }
  log: { warn(details: object, message: string): void }
}

/** Maximum number of passages of an answer that are located by embeddings; each can embed a dozen sentences. */
const maxPassagesByMeaning = 4

export type CitePassages = ReturnType<typeof createCitePassages>

/**
 * Finds, for each fragment that an answer cites, the passage on which the answer rests. The link of such a fragment leads
 * to it. Fragments without one are returned as they are. Without `mayEmbed`, only words count: a server that stops has no
 * time for more. Never rejects.
 */
export function createCitePassages({ tokenizer, embedding, log }: Deps) {
  return async (answer: string, fragments: FragmentView[], { mayEmbed = true } = {}): Promise<FragmentView[]> => {
    const said = citingSentences(answer)
    const cited: FragmentView[] = []
    let byMeaning = 0
    for (const [index, fragment] of fragments.entries()) {
      const claim = said.get(index + 1)
      cited.push(claim === undefined ? fragment : await withPassage(fragment, claim))
    }
    return cited

    /** Not a service: each sentence would be a request that somebody pays for. */
    function localEmbedder(): Embedder | null {
      const embedder = embedding.embedder()
      return embedder?.isService ? null : embedder
    }

    async function withPassage(fragment: FragmentView, claim: string): Promise<FragmentView> {
      const embedder = mayEmbed && byMeaning < maxPassagesByMeaning ? localEmbedder() : null
      let hasEmbedded = false
      const embed =
        embedder &&
        ((text: string) => {
          hasEmbedded = true
          return embedder.embedQuery(text)
        })
      try {
        const passage = await citedPassage(fragment.content, claim, tokenizer, embed)
        if (hasEmbedded) byMeaning += 1
        const [range] = passage?.highlights ?? []
        if (!passage || !range) return fragment
        const sentence = { text: passage.text.slice(...range), highlights: [] }
        return { ...fragment, link: passageLink(fragment.link, sentence), passage }
      } catch (error) {
        log.warn({ err: error }, 'The passage of a citation could not be chosen.')
        return fragment
      }
    }
  }
}
