import { fileLimits } from '../../../limits'
import { readXml, type XmlHandler } from '../../containers/xml-reader'
import { UnreadableFile } from '../../format/unreadable-file'

export interface SharedStrings {
  /** Returns a string by its index; '' if there is none. */
  at(index: number): string
}

const chunkBytes = 1024 * 1024
const startsPerChunk = 64 * 1024

/**
 * Reads the strings that cells refer to. They are stored as bytes, which takes a fraction of the memory of string
 * objects.
 */
export async function readSharedStrings(chunks: AsyncIterable<Uint8Array>): Promise<SharedStrings> {
  const store = createStore()
  let text = ''
  let isText = false
  /** Whether the text is phonetic, above Japanese or Chinese characters. */
  let isPhonetic = false
  const handler: XmlHandler = {
    open({ name }) {
      if (name === 'si') text = ''
      else if (name === 't') isText = true
      else if (name === 'rPh') isPhonetic = true
    },
    text(chunk) {
      if (isText && !isPhonetic) text += chunk.slice(0, fileLimits.table.cellLength + 1 - text.length)
    },
    close(name) {
      if (name === 'si') store.add(text)
      else if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
  }
  await readXml(chunks, handler, 'lenient')
  return store
}

function createStore() {
  const chunks: Buffer[] = []
  /** For each string: its chunk, its start and its end there. */
  const bounds: Uint32Array[] = []
  let used = chunkBytes
  let count = 0

  return {
    add(text: string): void {
      if (count === fileLimits.workbook.strings) throw new UnreadableFile('file-too-complex')
      const maxBytes = text.length * 3
      if (used + maxBytes > (chunks.at(-1)?.length ?? 0)) {
        chunks.push(Buffer.allocUnsafeSlow(Math.max(chunkBytes, maxBytes)))
        used = 0
      }
      const end = used + (chunks.at(-1)?.write(text, used, 'utf8') ?? 0)
      if (count % startsPerChunk === 0) bounds.push(new Uint32Array(3 * startsPerChunk))
      bounds.at(-1)?.set([chunks.length - 1, used, end], 3 * (count % startsPerChunk))
      used = end
      count++
    },
    at(index: number): string {
      const entry = bounds[Math.floor(index / startsPerChunk)]
      if (!entry || !(index < count)) return ''
      const start = 3 * (index % startsPerChunk)
      return chunks[entry[start] ?? 0]?.toString('utf8', entry[start + 1], entry[start + 2]) ?? ''
    },
  }
}
