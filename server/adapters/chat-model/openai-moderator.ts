import type { Moderator } from '../../engine/ports'
import { createOpenAiClient } from './openai-client'
import { defaultBaseUrls } from './provider-endpoints'
import { createProviderFetch } from './provider-fetch'

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
  return {
    async isFlagged(text, apiKey, signal) {
      const client = await createOpenAiClient({ apiKey, baseUrl: baseUrl ?? defaultBaseUrls.openai, fetch })
      const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const { results } = await client.moderations.create({ model: moderationModel, input: text }, { signal: timed })
      return results.some(({ flagged }) => flagged)
    },
  }
}
