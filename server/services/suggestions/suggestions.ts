import { LRUCache } from 'lru-cache'
import type { Provider } from '../../../contract/values/enumerations'
import { lengths, maxSuggestions } from '../../../contract/values/limits'
import type { Queries } from '../../../db/database'
import type { ChatModel } from '../../engine/ports/chat-model'
import { chooseProposals, type Proposal, proposeQuestions } from '../../engine/suggestions/propose-questions'
import { questionPrompt, questionsOf } from '../../engine/suggestions/question-prompt'
import { AppError } from '../../errors'
import { collectionOutline, popularTitles } from './collection-outline'

interface Deps {
  queries: Queries
  models: Record<Provider, ChatModel>
  /** `main` is the primary subtag of the language of most texts; null if it is unknown. */
  languagesOf(collectionId: string): Promise<{ main: string | null }>
}

/** The columns of an agent that decide what it suggests. */
interface SuggestingAgent {
  collectionId: string | null
  suggestions: string[] | null
}

/** The model that writes questions. */
export interface QuestionWriter {
  provider: Provider
  model: string
  apiKey: string | null
}

const maxCollections = 1_000
const maxAgeMs = 600_000
const maxTokens = 512
const maxMs = 20_000
const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export type Suggestions = ReturnType<typeof createSuggestions>

/** The questions that empty chats offer: those of the agent, then those proposed from the collection. */
export function createSuggestions({ queries, models, languagesOf }: Deps) {
  const cache = new LRUCache<string, Proposal[]>({
    max: maxCollections,
    ttl: maxAgeMs,
    async fetchMethod(collectionId, _, { options }) {
      const pages = await collectionOutline(queries, collectionId)
      // A new collection gets its first pages any moment.
      if (pages.length === 0) options.ttl = 1
      return proposeQuestions(pages, await popularTitles(queries, collectionId))
    },
  })

  /** `language` is the reader's, which proposals are in if the collection has any in it; null if it is unknown. */
  async function ofAgent({ collectionId, suggestions }: SuggestingAgent, language: string | null): Promise<string[]> {
    const own = suggestions ?? []
    // An empty list offers none.
    if (suggestions?.length === 0 || own.length >= maxSuggestions) return own
    const proposed = collectionId === null ? [] : await ofCollection(collectionId, language)
    return [...new Set([...own, ...proposed])].slice(0, maxSuggestions)
  }

  async function ofCollection(collectionId: string, language: string | null): Promise<string[]> {
    return chooseProposals((await cache.fetch(collectionId)) ?? [], language, maxSuggestions)
  }

  /** Asks a model for questions that the collection answers. Throws not_found for an empty one, and ProviderError. */
  async function write(collectionId: string, { provider, model, apiKey }: QuestionWriter): Promise<string[]> {
    const pages = await collectionOutline(queries, collectionId)
    if (pages.length === 0) throw new AppError('not_found', 'The collection has no pages yet. Try again once it has.')
    const language = (await languagesOf(collectionId)).main ?? 'en'
    const messages = questionPrompt(pages, languageNames.of(language) ?? language, maxSuggestions)
    const signal = AbortSignal.timeout(maxMs)
    let reply = ''
    for await (const chunk of models[provider].stream(
      { model, apiKey, messages, maxOutputTokens: maxTokens },
      signal,
    )) {
      if (chunk.kind === 'text') reply += chunk.text
      else if (chunk.kind === 'discard') reply = ''
    }
    return questionsOf(reply, maxSuggestions, lengths.suggestion)
  }

  return { ofAgent, ofCollection, write }
}
