import { anonymousBodyBytes } from '../../contract/values/limits'
import { AppError } from '../../server/errors'

/** Limit of a body of somebody who is known, without its files. */
export const maxBodyBytes = 1024 * 1024
/** Bytes of a character in a JSON body, which may be escaped. */
const bytesPerCharacter = 6
/** How much of a rejected body is read and discarded. */
const maxDiscardedBytes = 16 * 1024 * 1024

/** Limit of a body that anybody can send, with a text of at most `textLength` characters. */
export function anonymousLimit(textLength = 0): number {
  return anonymousBodyBytes + bytesPerCharacter * textLength
}

/**
 * Reads the fields of a request's body: a JSON object or, if `form` is set, the text fields of a form. If `optional` is
 * set, an empty body has no fields. Bad input throws too_large or invalid_input, nothing else.
 */
export async function readBody(
  request: Request,
  {
    form = false,
    optional = false,
    maxBytes = maxBodyBytes,
  }: { form?: boolean; optional?: boolean; maxBytes?: number } = {},
): Promise<Record<string, unknown>> {
  if (form && isForm(request)) return Object.fromEntries(await readForm(request, maxBytes))
  const type = contentType(request)
  const isJson = type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)
  if (!isJson && !(optional && type === '')) {
    throw new AppError('invalid_input', `Send the body as ${form ? 'multipart/form-data or ' : ''}application/json.`)
  }
  const bytes = await readBytes(request, maxBytes)
  return optional && bytes.length === 0 ? {} : jsonObject(bytes)
}

/** Reads the text fields of a form and drops its files. Bad input throws too_large or invalid_input, nothing else. */
export async function readForm(request: Request, maxBytes = maxBodyBytes): Promise<FormData> {
  const form = await readFormWithFiles(request, maxBytes)
  for (const [name, value] of [...form]) if (typeof value !== 'string') form.delete(name)
  return form
}

/** Like `readForm`, with small files: the limit of the body includes them. */
export async function readFormWithFiles(request: Request, maxBytes = maxBodyBytes): Promise<FormData> {
  if (!isForm(request)) {
    throw new AppError('invalid_input', 'Send the body as multipart/form-data or application/x-www-form-urlencoded.')
  }
  const bytes = await readBytes(request, maxBytes)
  const form = await parseForm(bytes, request.headers.get('content-type') ?? '')
  for (const [name, value] of form) assertNoNul(name, value)
  return form
}

function isForm(request: Request): boolean {
  return ['multipart/form-data', 'application/x-www-form-urlencoded'].includes(contentType(request))
}

function contentType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Reads a body that is too large to its end, up to a limit: a response in the middle of an upload would reset the
 * connection before the client has read it.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > maxDiscardedBytes) throw bodyTooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > maxDiscardedBytes) break
      if (length <= maxBytes) chunks.push(chunk)
    }
  } catch (cause) {
    throw new AppError('invalid_input', 'The body ended early.', { cause })
  }
  if (length > maxBytes) throw bodyTooLarge(maxBytes)
  return Buffer.concat(chunks)
}

function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('invalid_input', bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON.', {
      cause,
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_input', 'The body must be a JSON object.')
  }
  for (const [name, field] of Object.entries(value)) assertNoNul(name, field)
  return value as Record<string, unknown>
}

async function parseForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new AppError('invalid_input', 'The form cannot be read.', { cause })
  }
}

/**
 * Finds NUL in a field's name or in any text inside its value: databases cut a text there or fail. Walks without
 * recursion, because a body may be nested far deeper than the stack.
 */
export function nulProblem(name: string, value: unknown): AppError | null {
  const pending: unknown[] = [name, value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && next.includes('\0')) return nulIn(name)
    if (typeof next === 'object' && next !== null) for (const entry of Object.entries(next)) pending.push(...entry)
  }
  return null
}

function nulIn(field: string): AppError {
  const message = 'A text cannot contain the character NUL.'
  return new AppError('invalid_input', message, { details: { fields: { [field.replaceAll('\0', '')]: [message] } } })
}

function assertNoNul(name: string, value: unknown): void {
  const problem = nulProblem(name, value)
  if (problem) throw problem
}

export function bodyTooLarge(maxBytes = maxBodyBytes): AppError {
  const size = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MiB` : `${Math.ceil(maxBytes / 1024)} KiB`
  return new AppError('too_large', `The body may have at most ${size}.`)
}
