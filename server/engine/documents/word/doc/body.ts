import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports'
import { type BlockFlow, createBlockFlow } from '../../format/block-flow'
import { createFields } from '../docx/text'
import type { WordNumbering } from '../numbering'
import { placeParagraph, type WordParagraph } from '../paragraph'
import type { WordStyles } from '../styles'
import { withSigns } from '../symbol-fonts'
import { createWordTable, type WordTable } from '../table'
import { endOfParagraph, fieldMarks, lookedAlike, shownAs, sign } from './characters'
import type { DocText, DocTextPart } from './piece-table'
import type { DocForm, DocLook, Stretches } from './properties'

interface DocContext {
  text: DocText
  looks: Stretches<DocLook>
  /** Null for a file in which the forms of paragraphs are not read. */
  forms: Stretches<DocForm> | null
  styles: WordStyles
  numbering: WordNumbering
  /** The note to which a character refers, with its mark. */
  noteAt(character: number): { mark: string; text: string } | null
}

/** Reads a part of the text, as a person sees it with all changes accepted. Yields the blocks as they are complete. */
export function* readDocBlocks(context: DocContext, from: number, to: number): Generator<Block[]> {
  const { text, looks, forms, styles, numbering, noteAt } = context
  const root = createBlockFlow()
  const fields = createFields()
  let paragraph = emptyParagraph()
  let table: WordTable | null = null
  let cell: BlockFlow | null = null
  let isInRow = false
  let waitingNotes: Block[] = []

  function append(part: DocTextPart, start: number, end: number): void {
    let plain = start
    for (let index = start; index < end; index++) {
      const code = part.text.charCodeAt(index)
      if (code >= 0x20) continue
      show(part.text.slice(plain, index))
      plain = index + 1
      const mark = fieldMarks.get(code)
      if (mark) fields.mark(mark)
      else if (code === sign.note) refer(part.first + index)
      else show(shownAs.get(code) ?? '')
    }
    show(part.text.slice(plain, end))
  }

  function show(shown: string): void {
    if (shown !== '' && fields.areShown()) paragraph.text += withSigns(shown, '')
  }

  function refer(character: number): void {
    const note = noteAt(character)
    if (!note) return
    paragraph.text += note.mark
    paragraph.notes.push({ kind: 'paragraph', text: note.text, anchor: null })
  }

  function endParagraph(form: DocForm | null, isCell: boolean): void {
    fields.endParagraph()
    const ended = { ...paragraph, ...saidByForm(form) }
    paragraph = emptyParagraph()
    // Without forms, a row ends with a cell that has nothing in it.
    const endsRow = form ? form.endsRow : isCell && ended.text === '' && cell === null
    const isInTable = form ? form.inTable || form.endsRow : isCell || isInRow
    if (isInTable) endInTable(ended, isCell, endsRow, form?.depth ?? 1)
    else {
      closeTable()
      place(ended, root)
    }
  }

  function endInTable(ended: WordParagraph, isCell: boolean, endsRow: boolean, depth: number): void {
    table ??= openTable()
    if (!isInRow && !endsRow) {
      table.openRow()
      isInRow = true
    }
    if (depth > 1) table.holdTable()
    if (endsRow && isCell) {
      if (isInRow) table.closeRow()
      isInRow = false
      return
    }
    cell ??= table.openCell()
    place(ended, cell)
    table.relieve()
    if (!isCell) return
    table.closeCell()
    cell = null
  }

  function openTable(): WordTable {
    putNotes()
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

  /** Notes stand behind the block that refers to them, those of a list or a table behind the whole. */
  function place(ended: WordParagraph, flow: BlockFlow): void {
    const placed = placeParagraph(ended, styles, numbering)
    if (placed?.kind === 'item') flow.putItem(placed.text, placed.level)
    else if (placed) {
      if (flow === root) putNotes()
      flow.put(placed.block)
    }
    waitingNotes.push(...ended.notes)
  }

  function putNotes(): void {
    for (const waiting of waitingNotes) root.put(waiting)
    waitingNotes = []
  }

  for (const part of text.parts(from, to)) {
    let start = 0
    for (const { length, look } of lookedAlike(part, looks)) {
      const end = start + length
      for (let at = start; at < end; ) {
        const stop = look?.deleted ? end : endOfParagraph(part.text, at, end)
        if (look === null) append(part, at, stop)
        else if (look.sign !== null && !look.hidden && !look.deleted) show(look.sign.repeat(stop - at))
        at = stop
        if (at >= end) break
        const position = part.at + at * part.bytesPerCharacter
        endParagraph(forms?.at(position) ?? null, part.text.charCodeAt(at) === sign.cell)
        at++
      }
      start = end
    }
    if (paragraph.text.length > fileLimits.word.blockCharacters) endParagraph(null, false)
    const blocks = root.take()
    if (blocks.length > 0) yield blocks
  }
  if (paragraph.text !== '') endParagraph(null, false)
  closeTable()
  putNotes()
  yield root.takeAll()
}

function emptyParagraph(): WordParagraph {
  return { text: '', style: '', runsOn: false, beside: [], notes: [] }
}

function saidByForm(form: DocForm | null): Partial<WordParagraph> {
  if (!form) return {}
  return {
    style: String(form.style),
    ...(form.outline === undefined ? {} : { level: form.outline < 9 ? Math.min(form.outline + 1, 6) : null }),
    ...(form.list === undefined ? {} : { numId: String(form.list) }),
    ...(form.listLevel === undefined ? {} : { listLevel: form.listLevel }),
  }
}
