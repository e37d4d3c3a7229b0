import { LRUCache } from 'lru-cache'
import type { Provider } from '../../../contract/values/enumerations'
import type { Turn } from '../../engine/answering/prompt'
import { queryOf, translationPrompt } from '../../engine/answering/translation-prompt'
import { questionLanguages } from '../../engine/language/question-language'
import type { ChatModel, ChatRequest } from '../../engine/ports/chat-model'
import { isProviderError } from '../../errors'
import type { Embedding } from '../indexing/embedding'
import type { CollectionLanguages } from './collection-languages'

interface Deps {
  models: Record<Provider, ChatModel>
  languagesOf: CollectionLanguages
  embedding: Pick<Embedding, 'isMultilingual'>
  log: { warn(details: object, message: string): void }
}

export interface TranslationRequest extends Pick<ChatRequest, 'model' | 'apiKey'> {
  agentId: string
  provider: Provider
  /** The agent's setting. */
  translatesQuestions: boolean
  collectionId: string
  question: string
  /** Earlier messages, oldest first. */
  history: Turn[]
  /** The visitor's; null if unknown. */
  preferredLanguage: string | null
}

/** A question as a search query in the language of the collection. */
export interface TranslatedQuestion {
  query: string
  /** What the model that wrote it has used; null if the provider does not report it, and for a query from the cache. */
  tokensInput: number | null
  tokensOutput: number | null
}

const maxTokens = 64
const maxMs = 3_000
const maxCached = 2_000
const maxAgeMs = 3_600_000
const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export type TranslateQuestion = ReturnType<typeof createTranslateQuestion>

/**
 * Turns a question in another language than those of the collection into a query in the collection's main language, by the
 * agent's own model, unless the embedding model knows many languages. Null where nothing has to be translated, and where
 * the model fails or takes too long. Never rejects.
 */
export function createTranslateQuestion({ models, languagesOf, embedding, log }: Deps) {
  const cache = new LRUCache<string, string>({ max: maxCached, ttl: maxAgeMs })

  return async (request: TranslationRequest, signal: AbortSignal): Promise<TranslatedQuestion | null> => {
    try {
      const language = await targetLanguage(request)
      if (language === null) return null
      const messages = translationPrompt(request.question, request.history, languageNames.of(language) ?? language)
      // Agents do not share queries: another one's model may write another.
      const key = JSON.stringify([request.agentId, request.model, messages])
      const cached = cache.get(key)
      if (cached !== undefined) return { query: cached, tokensInput: null, tokensOutput: null }
      const translated = await ask(request, messages, AbortSignal.any([signal, AbortSignal.timeout(maxMs)]))
      if (translated) cache.set(key, translated.query)
      return translated
    } catch (error) {
      if (!signal.aborted && !isProviderError(error))
        log.warn({ err: error, agentId: request.agentId }, 'A question could not be translated.')
      return null
    }
  }

  /** The language in which the collection is searched; null if the question need not be translated. */
  async function targetLanguage(request: TranslationRequest): Promise<string | null> {
    const { translatesQuestions, collectionId, question, preferredLanguage } = request
    if (!translatesQuestions) return null
    const { frequent, main } = await languagesOf(collectionId)
    if (main === null) return null
    const likely = questionLanguages(question)
    const asked = likely.length > 0 ? likely : preferredLanguage === null ? [] : [preferredLanguage]
    if (asked.length === 0 || asked.some((language) => frequent.includes(language))) return null
    return (await embedding.isMultilingual(collectionId)) ? null : main
  }

  async function ask(
    { provider, model, apiKey }: TranslationRequest,
    messages: ChatRequest['messages'],
    signal: AbortSignal,
  ): Promise<TranslatedQuestion | null> {
    let reply = ''
    let tokens = { tokensInput: null as number | null, tokensOutput: null as number | null }
    for await (const chunk of models[provider].stream(
      { model, apiKey, messages, maxOutputTokens: maxTokens },
      signal,
    )) {
      if (chunk.kind === 'text') reply += chunk.text
      else if (chunk.kind === 'discard') reply = ''
      else tokens = { tokensInput: chunk.tokensInput, tokensOutput: chunk.tokensOutput }
    }
    const query = queryOf(reply)
    return query === null || signal.aborted ? null : { query, ...tokens }
  }
}
