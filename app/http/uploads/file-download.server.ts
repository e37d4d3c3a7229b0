import { open } from 'node:fs/promises'
import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '../../../server/errors'
import type { StoredFile } from '../../../server/services/files/files'

const chunkBytes = 64 * 1024

/** Sends a file as an attachment: its content is not ours, so a browser must not render it. Reads as fast as it sends. */
export async function fileResponse(
  file: StoredFile,
  { signal, drained }: Pick<AppLoadContext, 'signal' | 'drained'>,
): Promise<Response> {
  const handle = await open(file.path).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The file is missing on this server. Upload it again.', { cause })
  })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await drained()
      const { bytesRead, buffer } = signal.aborted
        ? { bytesRead: 0, buffer: new Uint8Array() }
        : await handle.read(new Uint8Array(chunkBytes))
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
      await handle.close()
      controller.close()
    },
    cancel: () => handle.close(),
  })
  return new Response(body, {
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
