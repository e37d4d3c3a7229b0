import type { Block } from '../../../ports'
import { openOle } from '../../containers/ole-file'
import { readOleProperties } from '../../containers/ole-properties'
import { RefusedFile, refusing } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { createWordNotes } from '../notes'
import { languageOfNumber } from '../windows-languages'
import { readDocBlocks } from './body'
import { type DocHeader, type DocPlace, readDocHeader } from './header'
import { readDocLists } from './lists'
import { readNotePlaces } from './notes'
import { openDocText } from './piece-table'
import { readDocFonts, readDocForms, readDocLooks } from './properties'
import { readDocStyles } from './styles'

/** Reads a Word file of the years before 2007 (.doc), since Word 6. */
export const readDoc: FileFormat = (path) => refusing(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  const { document, tables, header, summary } = await readStreams(path)
  const { title, created, modified } = readOleProperties(summary)
  const language = languageOfNumber(header.languageId)
  yield { kind: 'facts', facts: { title, language, publishedAt: created, modifiedAt: modified } }
  const total = header.lengths.text
  let read = 0
  for (const blocks of readDocument(header, document, tables)) {
    yield { kind: 'blocks', blocks }
    read += blocks.reduce((sum, { text }) => sum + text.length, 0)
    yield { kind: 'progress', done: Math.min(read, total), total }
  }
}

async function readStreams(path: string) {
  const ole = await openOle(path)
  try {
    const document = await ole.stream('WordDocument')
    if (document === null) throw new RefusedFile('file-broken')
    const header = readDocHeader(document)
    const tables = header.tables === null ? document : await ole.stream(header.tables)
    if (tables === null) throw new RefusedFile('file-broken')
    return { document, tables, header, summary: await ole.stream('\u0005SummaryInformation') }
  } finally {
    await ole.close()
  }
}

function* readDocument(header: DocHeader, document: Buffer, tables: Buffer): Generator<Block[]> {
  const { lengths, places } = header
  const part = ({ at, size }: DocPlace) => tables.subarray(at, at + size)
  const styles = readDocStyles(places.styles, tables)
  const context = {
    text: openDocText(header, document, tables),
    looks: readDocLooks(places.characterPages, tables, document, readDocFonts(places.fonts, tables)),
    forms: header.isOld ? null : readDocForms(places.paragraphPages, tables, document),
    styles,
    numbering: readDocLists(places.listForms, places.listUses, tables, styles),
    noteAt: (): { mark: string; text: string } | null => null,
  }

  // The stories stand one behind the other.
  const footnotes = lengths.text
  const endnotes = footnotes + lengths.footnotes + lengths.headers + lengths.macros + lengths.comments
  const boxes = endnotes + lengths.endnotes
  const notes = createWordNotes()
  const kinds = new Map<number, 'footnote' | 'endnote'>()
  for (const { kind, reference, from, to } of [
    ...readNotePlaces(part(places.footnoteReferences), part(places.footnoteTexts), 'footnote'),
    ...readNotePlaces(part(places.endnoteReferences), part(places.endnoteTexts), 'endnote'),
  ]) {
    const [start, length] = kind === 'footnote' ? [footnotes, lengths.footnotes] : [endnotes, lengths.endnotes]
    const blocks = [...readDocBlocks(context, start + from, start + Math.min(to, length))].flat()
    notes.add(kind, String(reference), blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' '))
    kinds.set(reference, kind)
  }

  function noteAt(character: number) {
    const kind = kinds.get(character)
    return kind ? notes.take(kind, String(character)) : null
  }

  yield* readDocBlocks({ ...context, noteAt }, 0, lengths.text)
  yield* readDocBlocks(context, boxes, boxes + lengths.boxes)
}
