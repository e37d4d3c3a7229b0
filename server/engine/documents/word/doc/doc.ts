import type { Block } from '../../../ports/extractor'
import { openOle } from '../../containers/ole-file'
import { readOleProperties } from '../../containers/ole-properties'
import { catchUnreadable, UnreadableFile } from '../../format/unreadable-file'
import type { FileFormat, FilePart } from '../../ports'
import { createWordNotes } from '../notes'
import { languageOfNumber } from '../windows-languages'
import { readDocBlocks } from './body'
import { type DocHeader, type DocRange, readDocHeader } from './header'
import { readDocLists } from './lists'
import { readNoteRanges } from './notes'
import { openDocText } from './piece-table'
import { readCharacterProperties, readDocFonts, readParagraphProperties } from './properties'
import { readDocStyles } from './styles'

/** Reads a Word file of Word 6 to Word 2003 (.doc). */
export const readDoc: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  const { document, tableStream, header, summary } = await readStreams(path)
  const { title, created, modified } = readOleProperties(summary)
  const language = languageOfNumber(header.languageId)
  yield { kind: 'facts', facts: { title, language, publishedAt: created, modifiedAt: modified } }
  const total = header.lengths.text
  let read = 0
  for (const blocks of readDocument(header, document, tableStream)) {
    yield { kind: 'blocks', blocks }
    read += blocks.reduce((sum, { text }) => sum + text.length, 0)
    yield { kind: 'progress', done: Math.min(read, total), total }
  }
}

async function readStreams(path: string) {
  const ole = await openOle(path)
  try {
    const document = await ole.readStream('WordDocument')
    if (document === null) throw new UnreadableFile('file-broken')
    const header = readDocHeader(document)
    const tableStream = header.tableStream === null ? document : await ole.readStream(header.tableStream)
    if (tableStream === null) throw new UnreadableFile('file-broken')
    return { document, tableStream, header, summary: await ole.readStream('\u0005SummaryInformation') }
  } finally {
    await ole.close()
  }
}

function* readDocument(header: DocHeader, document: Buffer, tableStream: Buffer): Generator<Block[]> {
  const { lengths, structures } = header
  const part = ({ at, size }: DocRange) => tableStream.subarray(at, at + size)
  const styles = readDocStyles(structures.styles, tableStream)
  const context = {
    text: openDocText(header, document, tableStream),
    characterProperties: readCharacterProperties(
      structures.characterPages,
      tableStream,
      document,
      readDocFonts(structures.fonts, tableStream),
    ),
    paragraphProperties: header.isOld
      ? null
      : readParagraphProperties(structures.paragraphPages, tableStream, document),
    styles,
    numbering: readDocLists(structures.listForms, structures.listUses, tableStream, styles),
    noteAt: (): { mark: string; text: string } | null => null,
  }

  // The parts of the document follow one another in the text.
  const footnotes = lengths.text
  const endnotes = footnotes + lengths.footnotes + lengths.headers + lengths.macros + lengths.comments
  const textBoxes = endnotes + lengths.endnotes
  const notes = createWordNotes()
  const kinds = new Map<number, 'footnote' | 'endnote'>()
  for (const { kind, reference, from, to } of [
    ...readNoteRanges(part(structures.footnoteReferences), part(structures.footnoteTexts), 'footnote'),
    ...readNoteRanges(part(structures.endnoteReferences), part(structures.endnoteTexts), 'endnote'),
  ]) {
    const [start, length] = kind === 'footnote' ? [footnotes, lengths.footnotes] : [endnotes, lengths.endnotes]
    const blocks = [...readDocBlocks(context, start + from, start + Math.min(to, length))].flat()
    notes.add(kind, String(reference), blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' '))
    kinds.set(reference, kind)
  }

  function noteAt(character: number) {
    const kind = kinds.get(character)
    return kind ? notes.claim(kind, String(character)) : null
  }

  yield* readDocBlocks({ ...context, noteAt }, 0, lengths.text)
  yield* readDocBlocks(context, textBoxes, textBoxes + lengths.boxes)
}
