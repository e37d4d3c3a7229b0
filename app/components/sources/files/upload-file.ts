import { readProblem } from '../read-problem'

/** 'redirected': another page responded, because the session has ended. */
export type UploadResult = { kind: 'stored' } | { kind: 'redirected' } | { kind: 'rejected'; message: string }

const brokenUpload = 'The upload was interrupted. Try again.'

/** Uploads one file with its fields and reports the bytes sent. Rejects only when `signal` aborts. */
export function uploadFile(
  to: string,
  fields: Record<string, string>,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress(bytes: number): void },
): Promise<UploadResult> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  // fetch does not report the progress of an upload.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.abort()
      reject(signal.reason)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('error', () => resolve({ kind: 'rejected', message: brokenUpload }))
    request.addEventListener('load', () => resolve(resultOf(request)))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    request.open('POST', to)
    request.setRequestHeader('Accept', 'application/json')
    request.send(form)
  })
}

async function resultOf(request: XMLHttpRequest): Promise<UploadResult> {
  const type = request.getResponseHeader('Content-Type') ?? ''
  if (request.status < 300) return { kind: type.startsWith('application/json') ? 'stored' : 'redirected' }
  const { message } = await readProblem(new Response(request.responseText), brokenUpload)
  return { kind: 'rejected', message }
}
