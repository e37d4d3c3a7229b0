import { Agent, fetch as undiciFetch } from 'undici'

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * Creates the fetch for the SDK, whose URLs come from the operator only. Limits connecting to `connectMs`, does not
 * follow redirects, which would forward the key, and converts error bodies to OpenAI's format.
 */
export function createProviderFetch({ connectMs }: { connectMs: number }): Fetch {
  const dispatcher = new Agent({ connect: { timeout: connectMs } })
  return async (url, init = {}) => {
    const options = { ...init, dispatcher, redirect: 'manual' } as unknown as Parameters<typeof undiciFetch>[1]
    const response = (await undiciFetch(String(url), options)) as unknown as Response
    if (response.ok) return response
    const { status, headers } = response
    return new Response(toOpenAiError(await response.text()), { status, headers })
  }
}

/** Unwraps Gemini's errors, which are arrays of one, and wraps errors of servers that omit `error`. */
function toOpenAiError(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(body) ? body[0] : body
    if (typeof first !== 'object' || first === null) return text
    return JSON.stringify('error' in first && typeof first.error === 'object' ? first : { error: { message: text } })
  } catch {
    return text
  }
}
