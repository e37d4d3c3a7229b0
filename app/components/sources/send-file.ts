import { problemOf } from './problem-of'

/** How a file that was sent ended: 'elsewhere' where another page answered, as after a session has ended. */
export type Sent = { kind: 'stored' } | { kind: 'elsewhere' } | { kind: 'refused'; message: string }

const unforeseen = 'The upload broke off. Try again.'

/** Sends one file with its fields and tells of the bytes that are on their way. Rejects only when `signal` aborts. */
export function sendFile(
  to: string,
  fields: Record<string, string>,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress(bytes: number): void },
): Promise<Sent> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  // What fetch sends cannot be watched.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.abort()
      reject(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('error', () => resolve({ kind: 'refused', message: unforeseen }))
    request.addEventListener('load', () => resolve(answerOf(request)))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    request.open('POST', to)
    request.setRequestHeader('Accept', 'application/json')
    request.send(form)
  })
}

async function answerOf(request: XMLHttpRequest): Promise<Sent> {
  const type = request.getResponseHeader('Content-Type') ?? ''
  if (request.status < 300) return { kind: type.startsWith('application/json') ? 'stored' : 'elsewhere' }
  const { message } = await problemOf(new Response(request.responseText), unforeseen)
  return { kind: 'refused', message }
}
