import { readFile, stat } from 'node:fs/promises'
import { decodeHtml } from '../../charset/decode-html'
import { extractPage } from '../../html/extract-page'
import { crawlLimits } from '../../limits'
import type { Block } from '../../ports/extractor'
import { catchUnreadable, UnreadableFile } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'

/** Blocks that are yielded at a time. */
const batchSize = 500
/** The address of a page that has none: links in it lead nowhere. */
const noAddress = 'https://file.invalid/page'

/** Reads a saved web page as the crawler reads one. Its links are not followed. */
export const readHtml: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  if ((await stat(path)).size > crawlLimits.fetch.page.decodedBytes) throw new UnreadableFile('file-too-complex')
  yield* partsOfPage(decodeHtml(await readFile(path), 'text/html'))
}

/** The parts of a file that is a page. `name` is its title if the file says it elsewhere; '' otherwise. */
export function* partsOfPage(html: string, name = ''): Generator<FilePart> {
  const { title, language, publishedAt, modifiedAt, blocks } = extractPage(html, noAddress)
  yield { kind: 'facts', facts: { title: name || title, language, publishedAt, modifiedAt } }
  for (let start = 0; start < blocks.length; start += batchSize) {
    yield { kind: 'blocks', blocks: blocks.slice(start, start + batchSize).map(withoutAnchor) }
    yield { kind: 'progress', done: Math.min(start + batchSize, blocks.length), total: blocks.length }
  }
}

/** Nobody can open a place on a page that is a file. */
function withoutAnchor(block: Block): Block {
  return 'anchors' in block ? { ...block, anchor: null, anchors: [] } : { ...block, anchor: null }
}
