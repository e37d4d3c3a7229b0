import type { HttpFailure } from '../http-failure'
import { defaultBaseUrls } from '../provider-endpoints'
import type { Dialect } from './protocol'

/** Most servers accept only the old name of the limit, OpenAI's newer models only the new one. */
export function initialDialect(baseUrl: string): Dialect {
  const limit = baseUrl === defaultBaseUrls.openai ? 'max_completion_tokens' : 'max_tokens'
  return { temperature: true, thinking: true, usage: true, limit }
}

/** Returns the dialect without the parameter that the server rejects; null if it rejects something else. */
export function fallbackDialect(current: Dialect, { status, detail }: HttpFailure): Dialect | null {
  if (status !== 400 && status !== 422) return null
  if (current.usage && /stream_options|include_usage/.test(detail)) return { ...current, usage: false }
  if (current.temperature && /\btemperature\b/i.test(detail)) return { ...current, temperature: false }
  if (current.thinking && /thinking/i.test(detail)) return { ...current, thinking: false }
  if (current.limit === 'max_tokens' && /max_completion_tokens/.test(detail))
    return { ...current, limit: 'max_completion_tokens' }
  const isUnknown = /unsupported|unrecognized|unknown|not permitted|not supported|extra/i.test(detail)
  if (current.limit === 'max_completion_tokens' && isUnknown && /max_completion_tokens/.test(detail))
    return { ...current, limit: 'max_tokens' }
  return null
}
