import { parentPort } from 'node:worker_threads'
import { decodeHtml } from '../../server/engine/extract/charset'
import { extractPage } from '../../server/engine/extract/page'

export interface ExtractTask {
  id: number
  url: string
  body: Uint8Array
  contentType: string
}

/** Reads one page a message; a page that cannot be read answers null. */
parentPort?.on('message', ({ id, url, body, contentType }: ExtractTask) => {
  let document = null
  try {
    document = extractPage(decodeHtml(body, contentType), url)
  } catch {
    // What a page does to the parser is no error of ours: the caller is told that it failed.
  }
  parentPort?.postMessage({ id, document })
})

parentPort?.postMessage('ready')
