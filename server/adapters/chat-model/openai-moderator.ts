import type { Moderator } from '../../engine/ports/chat-model'
import { isHeaderValue } from './header-value'
import { findFailure, HttpFailure } from './http-failure'
import { createOpenAiClient } from './protocols/openai-client'
import { defaultBaseUrls } from './provider-endpoints'
import { createProviderFetch, withoutKey } from './provider-fetch'

/** The model that takes any language. */
const moderationModel = 'omni-moderation-latest'
const defaultTimeoutMs = 5_000

/** OpenAI's moderation, or that of the server at `baseUrl`. */
export function createOpenAiModerator({
  baseUrl,
  timeoutMs = defaultTimeoutMs,
}: {
  baseUrl: string | null
  timeoutMs?: number
}): Moderator {
  const fetch = createProviderFetch({ connectMs: timeoutMs, accepts: 'json' })
  /** Whether the server at `baseUrl`, such as Ollama, has no moderation. */
  let isMissing = false
  return {
    async isFlagged(text, apiKey, signal) {
      if (isMissing) return false
      if (apiKey !== null && !isHeaderValue(apiKey))
        throw new Error('The key contains characters that a header cannot have.')
      const client = await createOpenAiClient({
        apiKey: apiKey ?? 'none',
        baseUrl: baseUrl ?? defaultBaseUrls.openai,
        fetch: apiKey === null ? withoutKey(fetch) : fetch,
      })
      const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const { results } = await client.moderations.create({ model: moderationModel, input: text }, { signal: timed })
        return results.some(({ flagged }) => flagged)
      } catch (error) {
        // A 404 of OpenAI, or about the model, concerns one key: others are still checked.
        const failure = findFailure(error)
        const isNotFound = failure instanceof HttpFailure && failure.status === 404
        isMissing = baseUrl !== null && isNotFound && failure.code !== 'model_not_found'
        throw error
      }
    },
  }
}
