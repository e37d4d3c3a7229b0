import sax from 'sax'
import { fileLimits } from '../limits'
import { xmlEncodingOf } from '../xml-encoding'
import { RefusedFile } from './refused-file'

export interface XmlElement {
  /** With the prefix that is usual for its namespace ('w:p'), whatever the file calls it. */
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

/** By the end of the namespace: the strict form of Office files and the transitional one differ in what stands before. */
const usualPrefixes: [RegExp, string][] = [
  [/\/wordprocessingml(\/2006)?\/main$/, 'w:'],
  [/\/markup-compatibility\/2006$/, 'mc:'],
  [/\/officeDocument(\/2006)?\/math$/, 'm:'],
  [/^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/, 'dc:'],
  [/^http:\/\/purl\.org\/dc\/terms\/$/, 'dcterms:'],
  [/\/package\/2006\//, ''],
]

/**
 * Reads a part of a file while it is unpacked; nothing of it is kept. Yields the bytes read so far after each piece.
 * Throws RefusedFile: 'file-broken' where it is not well-formed XML or declares a document type (so that no entity is
 * ever defined), 'file-too-complex' where it is nested too deep or one tag is too long.
 */
export async function* readXml(pieces: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<number> {
  const parser = createParser(handler)
  let decoder: TextDecoder | null = null
  let bytes = 0
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(xmlEncodingOf(piece))
    bytes += piece.length
    parser.write(decoder.decode(piece, { stream: true }))
    yield bytes
  }
  parser.end()
}

/** Reads a whole part. */
export async function readWholeXml(pieces: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(pieces, handler));
}

/** The value of an attribute by its name without a prefix. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  const usual = attributes[`w:${name}`] ?? attributes[name]
  if (usual !== undefined) return usual
  const written = Object.keys(attributes).find((key) => key.endsWith(`:${name}`))
  return written === undefined ? undefined : attributes[written]
}

function createParser(handler: XmlHandler) {
  const { depth: deepest, tagCharacters } = fileLimits.xml
  const parser = sax.parser(true, { position: false })
  const names = createNames()
  let depth = 0
  /** Of one tag, comment or the like, which is held until it ends. */
  let held = 0

  parser.onopentag = (tag) => {
    held = 0
    depth++
    if (depth > deepest) throw new RefusedFile('file-too-complex')
    const attributes = tag.attributes as Record<string, string>
    names.declare(attributes, depth)
    handler.open?.({ name: names.usual(tag.name), attributes })
  }
  parser.onclosetag = (name) => {
    held = 0
    handler.close?.(names.usual(name))
    names.forget(depth)
    depth--
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.oncomment = () => {
    held = 0
  }
  parser.ondoctype = refuse
  parser.onerror = refuse

  function collect(piece: string): void {
    held = 0
    handler.text?.(piece)
  }

  return {
    write(text: string): void {
      held += text.length
      parser.write(text)
      // Running text is handed on before it grows.
      parser.flush()
      if (held > tagCharacters) throw new RefusedFile('file-too-complex')
    },
    end: () => parser.close(),
  }
}

function refuse(): never {
  throw new RefusedFile('file-broken')
}

/** Names as written by names as usual; what is declared on an element holds until its end. */
function createNames() {
  const scopes: { depth: number; prefixes: Map<string, string> }[] = [{ depth: 0, prefixes: new Map() }]
  let known = new Map<string, string>()

  return {
    declare(attributes: Record<string, string>, depth: number): void {
      let prefixes: Map<string, string> | null = null
      for (const key in attributes) {
        if (!key.startsWith('xmlns')) continue
        const written = key === 'xmlns' ? '' : `${key.slice(6)}:`
        const namespace = attributes[key] ?? ''
        const usual = usualPrefixes.find(([pattern]) => pattern.test(namespace))?.[1] ?? `other-${written}`
        if ((prefixes ?? scopes.at(-1)?.prefixes)?.get(written) === usual) continue
        prefixes ??= new Map(scopes.at(-1)?.prefixes)
        prefixes.set(written, usual)
      }
      if (prefixes === null) return
      scopes.push({ depth, prefixes })
      known = new Map()
    },

    forget(depth: number): void {
      if (scopes.at(-1)?.depth !== depth || depth === 0) return
      scopes.pop()
      known = new Map()
    },

    usual(name: string): string {
      const before = known.get(name)
      if (before !== undefined) return before
      const prefix = name.slice(0, name.indexOf(':') + 1)
      const usual = (scopes.at(-1)?.prefixes.get(prefix) ?? prefix) + name.slice(prefix.length)
      if (known.size < 1000) known.set(name, usual)
      return usual
    },
  }
}
