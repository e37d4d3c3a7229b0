import type { AppLoadContext } from '@remix-run/node'
import type { OriginalFile } from '../../../server/services/file-sources/file-sources'

type Connection = Pick<AppLoadContext, 'signal' | 'drained'>

/** Sends a file as an attachment: its content is not ours, so a browser must not render it. */
export function fileResponse(file: OriginalFile, connection: Connection): Response {
  return new Response(downloadBody(file.content, connection), {
    headers: {
      // Some clients render other types, and text would be declared as UTF-8.
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'Content-Disposition': attachment(file.name),
      // With compression the length would be wrong.
      'Cache-Control': 'private, no-store, no-transform',
    },
  })
}

/** An ASCII name for old clients, followed by the full name (RFC 6266, RFC 5987). */
function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** The body of a download, which reads as fast as it sends. */
export function downloadBody(
  content: AsyncIterable<Uint8Array>,
  { signal, drained }: Connection,
): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await drained()
      const next = signal.aborted ? null : await chunks.next()
      if (next && !next.done) return controller.enqueue(next.value)
      await chunks.return?.()
      controller.close()
    },
    cancel: async () => void (await chunks.return?.()),
  })
}
