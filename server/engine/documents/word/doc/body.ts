import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports/extractor'
import { type BlockFlow, createBlockFlow } from '../../format/block-flow'
import { createFields } from '../docx/text'
import type { WordNumbering } from '../numbering'
import { interpretParagraph, type WordParagraph } from '../paragraph'
import type { WordStyles } from '../styles'
import { replaceSymbols } from '../symbol-fonts'
import { createWordTable, type WordTable } from '../table'
import { characterRuns, controlCharacter, endOfParagraph, fieldCharacters, replacements } from './characters'
import type { DocText, DocTextPart } from './piece-table'
import type { CharacterProperties, ParagraphProperties, PropertyRuns } from './properties'

interface DocContext {
  text: DocText
  characterProperties: PropertyRuns<CharacterProperties>
  /** Null for files whose paragraph properties are not read. */
  paragraphProperties: PropertyRuns<ParagraphProperties> | null
  styles: WordStyles
  numbering: WordNumbering
  /** Returns the note that a character refers to, with its marker. */
  noteAt(character: number): { mark: string; text: string } | null
}

/**
 * Reads a range of the text as a person sees it, with all tracked changes accepted. Yields blocks as they are
 * completed.
 */
export function* readDocBlocks(context: DocContext, from: number, to: number): Generator<Block[]> {
  const { text, characterProperties, paragraphProperties, styles, numbering, noteAt } = context
  const root = createBlockFlow()
  const fields = createFields()
  let paragraph = emptyParagraph()
  let table: WordTable | null = null
  let cell: BlockFlow | null = null
  let isInRow = false
  let pendingNotes: Block[] = []

  function appendPart(part: DocTextPart, start: number, end: number): void {
    let textStart = start
    for (let index = start; index < end; index++) {
      const code = part.text.charCodeAt(index)
      if (code >= 0x20) continue
      appendText(part.text.slice(textStart, index))
      textStart = index + 1
      const mark = fieldCharacters.get(code)
      if (mark) fields.add(mark)
      else if (code === controlCharacter.note) appendNote(part.first + index)
      else appendText(replacements.get(code) ?? '')
    }
    appendText(part.text.slice(textStart, end))
  }

  function appendText(text: string): void {
    if (text !== '' && fields.isVisible()) paragraph.text += replaceSymbols(text, '')
  }

  function appendNote(character: number): void {
    const note = noteAt(character)
    if (!note) return
    paragraph.text += note.mark
    paragraph.notes.push({ kind: 'paragraph', text: note.text, anchor: null })
  }

  function endParagraph(properties: ParagraphProperties | null, isCell: boolean): void {
    fields.endParagraph()
    const ended = { ...paragraph, ...ownProperties(properties) }
    paragraph = emptyParagraph()
    // Without paragraph properties, a row ends with an empty cell.
    const endsRow = properties ? properties.endsRow : isCell && ended.text === '' && cell === null
    const isInTable = properties ? properties.inTable || properties.endsRow : isCell || isInRow
    if (isInTable) endInTable(ended, isCell, endsRow, properties?.depth ?? 1)
    else {
      closeTable()
      addParagraph(ended, root)
    }
  }

  function endInTable(ended: WordParagraph, isCell: boolean, endsRow: boolean, depth: number): void {
    table ??= openTable()
    if (!isInRow && !endsRow) {
      table.openRow()
      isInRow = true
    }
    if (depth > 1) table.markNested()
    if (endsRow && isCell) {
      if (isInRow) table.closeRow()
      isInRow = false
      return
    }
    cell ??= table.openCell()
    addParagraph(ended, cell)
    table.flushCell()
    if (!isCell) return
    table.closeCell()
    cell = null
  }

  function openTable(): WordTable {
    addNotes()
    return createWordTable(root)
  }

  function closeTable(): void {
    if (table === null) return
    if (cell) table.closeCell()
    if (isInRow) table.closeRow()
    table.close()
    table = null
    cell = null
    isInRow = false
  }

  /** Notes follow the block that refers to them; those of a list or a table follow all of it. */
  function addParagraph(ended: WordParagraph, flow: BlockFlow): void {
    const content = interpretParagraph(ended, styles, numbering)
    if (content?.kind === 'item') flow.addItem(content.text, content.level)
    else if (content) {
      if (flow === root) addNotes()
      flow.add(content.block)
    }
    pendingNotes.push(...ended.notes)
  }

  function addNotes(): void {
    for (const note of pendingNotes) root.add(note)
    pendingNotes = []
  }

  for (const part of text.parts(from, to)) {
    let start = 0
    for (const { length, properties } of characterRuns(part, characterProperties)) {
      const end = start + length
      for (let index = start; index < end; ) {
        const stop = properties?.deleted ? end : endOfParagraph(part.text, index, end)
        if (properties === null) appendPart(part, index, stop)
        else if (properties.symbol !== null && !properties.hidden && !properties.deleted)
          appendText(properties.symbol.repeat(stop - index))
        index = stop
        if (index >= end) break
        const position = part.at + index * part.bytesPerCharacter
        endParagraph(paragraphProperties?.at(position) ?? null, part.text.charCodeAt(index) === controlCharacter.cell)
        index++
      }
      start = end
    }
    if (paragraph.text.length > fileLimits.word.blockCharacters) endParagraph(null, false)
    const blocks = root.drain()
    if (blocks.length > 0) yield blocks
  }
  if (paragraph.text !== '') endParagraph(null, false)
  closeTable()
  addNotes()
  yield root.flush()
}

function emptyParagraph(): WordParagraph {
  return { text: '', style: '', continues: false, textBoxes: [], notes: [] }
}

function ownProperties(properties: ParagraphProperties | null): Partial<WordParagraph> {
  if (!properties) return {}
  return {
    style: String(properties.style),
    ...(properties.outline === undefined
      ? {}
      : { level: properties.outline < 9 ? Math.min(properties.outline + 1, 6) : null }),
    ...(properties.list === undefined ? {} : { numId: String(properties.list) }),
    ...(properties.listLevel === undefined ? {} : { listLevel: properties.listLevel }),
  }
}
