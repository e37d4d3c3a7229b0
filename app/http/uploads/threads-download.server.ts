import type { AppLoadContext } from '@remix-run/node'
import { downloadBody } from './file-download.server'

/** Sends threads as a file of lines of JSON. */
export function threadsDownload(
  lines: AsyncIterable<string>,
  connection: Pick<AppLoadContext, 'signal' | 'drained'>,
): Response {
  return new Response(downloadBody(encoded(lines), connection), {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': 'attachment; filename="threads.jsonl"',
      'Cache-Control': 'no-store',
    },
  })
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(line)
}
