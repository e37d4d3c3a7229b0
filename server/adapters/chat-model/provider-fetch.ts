import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch as undiciFetch } from 'undici'
import { ConnectionFailure, HttpFailure, parseError, retryAfterMs } from './http-failure'
import type { Fetch } from './protocols/protocol'

/** Reasoning included; an answer of 4,096 tokens takes less than 2 MiB. */
export const maxResponseBytes = 16 * 2 ** 20
/** Bounds what an SDK buffers: an event is a line. */
export const maxLineBytes = 2 ** 20
const maxErrorBytes = 64 * 2 ** 10
/** An error without the end of its body is reported without it. */
const errorBodyMs = 500

/**
 * Creates the fetch for the SDKs, whose URLs come from the operator only. Limits connecting to `connectMs` and the size of
 * a response, and does not follow redirects, which would forward the key. Throws HttpFailure for each status but 200,
 * ConnectionFailure without a valid response.
 */
export function createProviderFetch({
  connectMs,
  accepts = 'event-stream',
}: {
  connectMs: number
  accepts?: 'event-stream' | 'json'
}): Fetch {
  const dispatcher = new Agent({ connect: { timeout: connectMs } })
  return async (url, init = {}) => {
    const headers = Object.fromEntries(withoutMachine(new Headers(init.headers)))
    const options = { ...init, headers, dispatcher, redirect: 'manual' }
    let response: Response
    try {
      response = (await undiciFetch(
        String(url),
        options as unknown as Parameters<typeof undiciFetch>[1],
      )) as unknown as Response
    } catch (error) {
      throw init.signal?.aborted ? error : connectionFailure(error)
    }
    const { status } = response
    if (status !== 200) {
      const text = await errorText(response)
      throw new HttpFailure({ status, ...parseError(text), retryAfterMs: retryAfterMs(response.headers, Date.now()) })
    }
    const type = response.headers.get('content-type') ?? ''
    if (accepts === 'event-stream' ? /\b(html|json)\b/i.test(type) : !/\bjson\b/i.test(type)) {
      await response.body?.cancel()
      throw new ConnectionFailure(
        'content',
        `the response is ${type}, not ${accepts === 'json' ? 'JSON' : 'an event stream'}`,
      )
    }
    const maxLine = accepts === 'json' ? maxResponseBytes : maxLineBytes
    return new Response(response.body?.pipeThrough(createSizeLimit(maxLine)) ?? null, {
      status,
      headers: response.headers,
    })
  }
}

/** Sends no key, for servers that need none. The SDKs insist on one. */
export function withoutKey(fetch: Fetch): Fetch {
  return (url, init = {}) => {
    const headers = new Headers(init.headers)
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) headers.delete(name)
    return fetch(url, { ...init, headers })
  }
}

/** Removes the headers in which the SDKs describe the machine. */
function withoutMachine(headers: Headers): Headers {
  for (const name of [...headers.keys()]) if (/^(x-stainless-|x-goog-api-client)/.test(name)) headers.delete(name)
  headers.set('user-agent', 'Sitelore')
  return headers
}

async function errorText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const parts: Uint8Array[] = []
  const clock = new AbortController()
  const late = sleep(errorBodyMs, null, { signal: clock.signal }).catch(() => null)
  try {
    for (let size = 0; size < maxErrorBytes; ) {
      const read = await Promise.race([reader.read(), late])
      if (!read || read.done) break
      parts.push(read.value)
      size += read.value.length
    }
  } catch {
    // What came is enough.
  } finally {
    clock.abort()
    await reader.cancel().catch(() => undefined)
  }
  return Buffer.concat(parts).toString('utf8', 0, maxErrorBytes)
}

function createSizeLimit(maxLine: number): TransformStream<Uint8Array, Uint8Array> {
  const newline = 10
  let total = 0
  let line = 0
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.length
      const end = chunk.lastIndexOf(newline)
      line = end === -1 ? line + chunk.length : chunk.length - end - 1
      if (total > maxResponseBytes || line > maxLine)
        return controller.error(new ConnectionFailure('size', 'the response is too long'))
      controller.enqueue(chunk)
    },
  })
}

function connectionFailure(error: unknown): ConnectionFailure {
  const { code, message, hostname } = rootOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ConnectionFailure('name', hostname)
  if (/CERT|TLS|SSL|EPROTO|ALTNAME|SIGNATURE/.test(code)) return new ConnectionFailure('tls', code)
  return new ConnectionFailure('connect', code || message)
}

function rootOf(error: unknown): { code: string; message: string; hostname: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0])
  if (error instanceof Error && error.cause instanceof Error) return rootOf(error.cause)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const hostname = error instanceof Error && 'hostname' in error ? String(error.hostname) : 'the address'
  return { code, message: error instanceof Error ? error.message : String(error), hostname }
}
