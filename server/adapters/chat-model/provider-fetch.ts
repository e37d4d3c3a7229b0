import { Agent, fetch as undiciFetch } from 'undici'

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * The fetch of provider SDKs. Their addresses come from the operator alone. A connection is waited for no longer than
 * `connectMs`; redirects are not followed, as they would carry the key along; every error arrives in OpenAI's shape.
 */
export function createProviderFetch({ connectMs }: { connectMs: number }): Fetch {
  const dispatcher = new Agent({ connect: { timeout: connectMs } })
  return async (url, init = {}) => {
    const options = { ...init, dispatcher, redirect: 'manual' } as unknown as Parameters<typeof undiciFetch>[1]
    const response = (await undiciFetch(String(url), options)) as unknown as Response
    if (response.ok) return response
    const { status, headers } = response
    return new Response(inOneShape(await response.text()), { status, headers })
  }
}

/** Gemini puts its errors into a list of one; some servers have no `error` around them. */
function inOneShape(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(body) ? body[0] : body
    if (typeof first !== 'object' || first === null) return text
    return JSON.stringify('error' in first && typeof first.error === 'object' ? first : { error: { message: text } })
  } catch {
    return text
  }
}
