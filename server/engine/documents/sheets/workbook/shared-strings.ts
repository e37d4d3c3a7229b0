import { fileLimits } from '../../../limits'
import { readWholeXml, type XmlHandler } from '../../containers/xml-reader'
import { RefusedFile } from '../../format/unreadable-file'

export interface SharedStrings {
  /** '' where there is none of this number. */
  at(index: number): string
}

const chunkBytes = 1024 * 1024
const startsPerChunk = 64 * 1024

/** The texts that the cells of a workbook refer to, kept as bytes: as objects they would take several times as much. */
export async function readStrings(pieces: AsyncIterable<Uint8Array>): Promise<SharedStrings> {
  const store = createStore()
  let text = ''
  let isText = false
  /** Within the reading of Japanese or Chinese signs, which stands above them. */
  let isReading = false
  const handler: XmlHandler = {
    open({ name }) {
      if (name === 'si') text = ''
      else if (name === 't') isText = true
      else if (name === 'rPh') isReading = true
    },
    text(piece) {
      if (isText && !isReading) text += piece.slice(0, fileLimits.table.cellLength + 1 - text.length)
    },
    close(name) {
      if (name === 'si') store.add(text)
      else if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
    },
  }
  await readWholeXml(pieces, handler, 'lenient')
  return store
}

function createStore() {
  const chunks: Buffer[] = []
  /** Of every string its chunk and its bounds there, three numbers each. */
  const places: Uint32Array[] = []
  let used = chunkBytes
  let count = 0

  return {
    add(text: string): void {
      if (count === fileLimits.workbook.strings) throw new RefusedFile('file-too-complex')
      const most = text.length * 3
      if (used + most > (chunks.at(-1)?.length ?? 0)) {
        chunks.push(Buffer.allocUnsafeSlow(Math.max(chunkBytes, most)))
        used = 0
      }
      const end = used + (chunks.at(-1)?.write(text, used, 'utf8') ?? 0)
      if (count % startsPerChunk === 0) places.push(new Uint32Array(3 * startsPerChunk))
      places.at(-1)?.set([chunks.length - 1, used, end], 3 * (count % startsPerChunk))
      used = end
      count++
    },
    at(index: number): string {
      const place = places[Math.floor(index / startsPerChunk)]
      if (!place || !(index < count)) return ''
      const start = 3 * (index % startsPerChunk)
      return chunks[place[start] ?? 0]?.toString('utf8', place[start + 1], place[start + 2]) ?? ''
    },
  }
}
