import sax from 'sax'
import { xmlEncodingOf } from '../../charset/xml-encoding'
import { fileLimits } from '../../limits'
import { RefusedFile } from '../format/unreadable-file'
import { createLocalNames, createUsualNames } from './xml-names'

export interface XmlElement {
  /** As its manner says. */
  name: string
  /** As they stand in the file. */
  attributes: Record<string, string>
}

/** What a part of a file is told to, in the order of the part. */
export interface XmlHandler {
  open?(element: XmlElement): void
  /** Of running text, with the five entities of XML resolved, in pieces of any length. */
  text?(piece: string): void
  close?(name: string): void
}

/**
 * 'strict', as Word reads: names with the prefix that is usual for their namespace ('w:p'), whatever the file calls it;
 * the first mistake refuses the file, and so does a document type. 'lenient', as spreadsheets are read: names without
 * prefixes, whatever their namespace; some mistakes are passed over, and a document type is not looked at.
 */
export type XmlManner = 'strict' | 'lenient'

const mistakesPassedOver = { strict: 0, lenient: 100 }

/**
 * Reads a part of a file while it is unpacked; nothing of it is kept. Yields the bytes read so far after each piece. No
 * entity is ever defined. Throws RefusedFile: 'file-broken' where the manner refuses it, 'file-too-complex' where it is
 * nested too deep or one tag is too long.
 */
export async function* readXml(pieces: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<number> {
  const reader = createXmlReader(handler, 'strict')
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    reader.write(piece)
    yield bytes
  }
  reader.end()
}

/** Reads a whole part. */
export async function readWholeXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  manner: XmlManner = 'strict',
): Promise<void> {
  const reader = createXmlReader(handler, manner)
  for await (const piece of pieces) reader.write(piece)
  reader.end()
}

/** The value of an attribute by its name without a prefix. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  const usual = attributes[`w:${name}`] ?? attributes[name]
  if (usual !== undefined) return usual
  const written = Object.keys(attributes).find((key) => key.endsWith(`:${name}`))
  return written === undefined ? undefined : attributes[written]
}

/** As `readXml`, for whoever has the pieces. */
export function createXmlReader(handler: XmlHandler, manner: XmlManner) {
  const { depth: deepest, tagCharacters } = fileLimits.xml
  const parser = sax.parser(true, { position: false })
  const names = manner === 'strict' ? createUsualNames() : createLocalNames()
  let decoder: TextDecoder | null = null
  let depth = 0
  let mistakes = 0
  /** Of one tag, comment or the like, which is held until it ends. */
  let held = 0

  parser.onopentag = (tag) => {
    held = 0
    depth++
    if (depth > deepest) throw new RefusedFile('file-too-complex')
    const attributes = tag.attributes as Record<string, string>
    names.declare(attributes, depth)
    handler.open?.({ name: names.told(tag.name), attributes })
  }
  parser.onclosetag = (name) => {
    held = 0
    handler.close?.(names.told(name))
    names.forget(depth)
    depth--
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.oncomment = () => {
    held = 0
  }
  parser.onerror = () => {
    mistakes++
    if (mistakes > mistakesPassedOver[manner]) throw new RefusedFile('file-broken')
    // The parser would read no further; its types leave out that there may be none.
    parser.error = null as unknown as Error
  }
  if (manner === 'strict') {
    parser.ondoctype = () => {
      throw new RefusedFile('file-broken')
    }
  }

  function collect(piece: string): void {
    held = 0
    handler.text?.(piece)
  }

  return {
    write(piece: Uint8Array): void {
      decoder ??= new TextDecoder(xmlEncodingOf(piece))
      const text = decoder.decode(piece, { stream: true })
      held += text.length
      parser.write(text)
      // Running text is handed on before it grows.
      parser.flush()
      if (held > tagCharacters) throw new RefusedFile('file-too-complex')
    },
    end(): void {
      parser.close()
    },
  }
}
