import { open } from 'node:fs/promises'
import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '../../server/errors'
import type { StoredFile } from '../../server/services/files/files'

const pieceBytes = 64 * 1024

/** The file to be saved, never to be shown in the page: its content is somebody else's. Read no faster than it is sent. */
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
        : await handle.read(new Uint8Array(pieceBytes))
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
      await handle.close()
      controller.close()
    },
    cancel: () => handle.close(),
  })
  return new Response(body, {
    headers: {
      // Its own type would be shown by some clients, and text would be told to be UTF-8.
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'Content-Disposition': attachment(file.name),
      // Compressed, the length would be another one.
      'Cache-Control': 'private, no-store, no-transform',
    },
  })
}

/** With a plain name for old clients and the whole one beside it (RFC 6266, RFC 5987). */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
