import sax from 'sax'
import { namedInPage } from '../extract/charset-prescan'
import { RefusedFile } from './refused-file'

export interface XmlHandlers {
  /** Names without their prefixes; attributes with them. */
  open(name: string, attributes: Record<string, string>): void
  /** In pieces. */
  text?(text: string): void
  close?(name: string): void
}

/** Of nesting; parts of workbooks have less than ten. */
const deepest = 100
/** Mistakes that are passed over, as other readers do. */
const mostMistakes = 100

/**
 * Reads a part of a workbook piece by piece. Entities other than XML's own are never expanded, and a document type is not
 * looked at. What breaks off ends where it breaks. Throws RefusedFile where there is nothing left to read of it.
 */
export function createXmlReader({ open, text, close }: XmlHandlers) {
  const parser = sax.parser(true, { position: false })
  let decoder: TextDecoder | null = null
  let depth = 0
  let mistakes = 0

  parser.onopentag = ({ name, attributes }) => {
    depth++
    if (depth > deepest) throw new RefusedFile('file-too-complex')
    open(localName(name), attributes as Record<string, string>)
  }
  if (text) {
    parser.ontext = text
    parser.oncdata = text
  }
  parser.onclosetag = (name) => {
    depth--
    close?.(localName(name))
  }
  parser.onerror = () => {
    mistakes++
    if (mistakes > mostMistakes) throw new RefusedFile('file-broken')
    // The parser would read no further; its types leave out that there may be none.
    parser.error = null as unknown as Error
  }

  return {
    write(piece: Uint8Array): void {
      decoder ??= new TextDecoder(encodingOfXml(piece))
      parser.write(decoder.decode(piece, { stream: true }))
    },
    end(): void {
      parser.close()
    },
  }
}

function encodingOfXml(piece: Uint8Array): string {
  const [first, second] = piece
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be'
  return namedInPage(piece) ?? 'utf-8'
}

/** Reads a whole part. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const reader = createXmlReader(handlers)
  for await (const piece of pieces) reader.write(piece)
  reader.end()
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
