import { AppError } from '../../server/errors'

/** Bytes of a request's body, files apart. */
export const bodyLimit = 1024 * 1024
/** Bytes of a refused body that are read and thrown away. */
const patience = 16 * 1024 * 1024

/**
 * The fields of a request's body: JSON with an object in it, or, where `form` allows, the text fields of a form.
 * Throws too_large and invalid_input, never anything else for bad input.
 */
export async function readBody(request: Request, form: boolean): Promise<Record<string, unknown>> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isForm = type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded'
  const isJson = type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)
  if (!isJson && !(form && isForm)) {
    throw new AppError('invalid_input', `Send the body as ${form ? 'multipart/form-data or ' : ''}application/json.`)
  }
  const bytes = await readBytes(request)
  return isForm ? formFields(bytes, request.headers.get('content-type') ?? '') : jsonObject(bytes)
}

/**
 * The body is read to its end even where it is refused, within reason: an answer in the middle of an upload would reset
 * the connection before the client has read it.
 */
async function readBytes(request: Request): Promise<Buffer<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > patience) throw bodyTooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > patience) break
      if (length <= bodyLimit) chunks.push(chunk)
    }
  } catch (cause) {
    throw new AppError('invalid_input', 'The body broke off before its end.', { cause })
  }
  if (length > bodyLimit) throw bodyTooLarge()
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
  return value as Record<string, unknown>
}

async function formFields(bytes: Buffer<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  } catch (cause) {
    throw new AppError('invalid_input', 'The form cannot be read.', { cause })
  }
}

export function bodyTooLarge(): AppError {
  return new AppError('too_large', `The body may have at most ${bodyLimit / 1024 / 1024} MiB.`)
}
