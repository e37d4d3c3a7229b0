import sax from 'sax'
import { xmlEncodingOf } from '../../charset/xml-encoding'
import { fileLimits } from '../../limits'
import { UnreadableFile } from '../format/unreadable-file'
import { createLocalNames, createPrefixedNames } from './xml-names'

export interface XmlElement {
  /** Name as the mode resolves it. */
  name: string
  /** Attributes as written in the file. */
  attributes: Record<string, string>
}

/** Receives the content of a part in document order. */
export interface XmlHandler {
  open?(element: XmlElement): void
  /** Receives text with the five entities of XML resolved, in chunks of any length. */
  text?(chunk: string): void
  close?(name: string): void
}

/**
 * 'strict', as Word reads: names have the standard prefix of their namespace ('w:p'); the first error, or a document
 * type, rejects the file. 'lenient', as spreadsheet programs read: names have no prefix; some errors, and the document
 * type, are ignored.
 */
export type XmlMode = 'strict' | 'lenient'

const maxErrors = { strict: 0, lenient: 100 }

/**
 * Reads a part of a file while it is decompressed, without keeping it. Yields the number of bytes read after each
 * chunk. No entities are defined. Throws UnreadableFile: 'file-broken' if the mode rejects the part, 'file-too-complex'
 * if it nests too deep or a tag is too long.
 */
export async function* streamXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<number> {
  const reader = createXmlReader(handler, 'strict')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    reader.write(chunk)
    yield bytes
  }
  reader.end()
}

/** Reads a complete part, as `streamXml` does. */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  mode: XmlMode = 'strict',
): Promise<void> {
  const reader = createXmlReader(handler, mode)
  for await (const chunk of chunks) reader.write(chunk)
  reader.end()
}

/** Returns the value of an attribute by its name without prefix. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  const standard = attributes[`w:${name}`] ?? attributes[name]
  if (standard !== undefined) return standard
  const prefixed = Object.keys(attributes).find((key) => key.endsWith(`:${name}`))
  return prefixed === undefined ? undefined : attributes[prefixed]
}

/** Creates a reader as of `streamXml`, to which the caller writes the chunks. */
export function createXmlReader(handler: XmlHandler, mode: XmlMode) {
  const { depth: maxDepth, tagCharacters } = fileLimits.xml
  const parser = sax.parser(true, { position: false })
  const names = mode === 'strict' ? createPrefixedNames() : createLocalNames()
  let decoder: TextDecoder | null = null
  let depth = 0
  let errors = 0
  /** Characters of the current tag or comment, which the parser buffers until its end. */
  let pending = 0

  parser.onopentag = (tag) => {
    pending = 0
    depth++
    if (depth > maxDepth) throw new UnreadableFile('file-too-complex')
    const attributes = tag.attributes as Record<string, string>
    names.enter(attributes, depth)
    handler.open?.({ name: names.resolve(tag.name), attributes })
  }
  parser.onclosetag = (name) => {
    pending = 0
    handler.close?.(names.resolve(name))
    names.leave(depth)
    depth--
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.oncomment = () => {
    pending = 0
  }
  parser.onerror = () => {
    errors++
    if (errors > maxErrors[mode]) throw new UnreadableFile('file-broken')
    // Otherwise the parser would stop; its types do not allow null.
    parser.error = null as unknown as Error
  }
  if (mode === 'strict') {
    parser.ondoctype = () => {
      throw new UnreadableFile('file-broken')
    }
  }

  function collect(chunk: string): void {
    pending = 0
    handler.text?.(chunk)
  }

  return {
    write(chunk: Uint8Array): void {
      decoder ??= new TextDecoder(xmlEncodingOf(chunk))
      const text = decoder.decode(chunk, { stream: true })
      pending += text.length
      parser.write(text)
      // Hands on text before it accumulates.
      parser.flush()
      if (pending > tagCharacters) throw new UnreadableFile('file-too-complex')
    },
    end(): void {
      parser.close()
    },
  }
}
