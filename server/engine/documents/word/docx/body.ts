import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports'
import { attributeOf, type XmlElement, type XmlHandler } from '../../containers/xml-reader'
import { type BlockFlow, createBlockFlow } from '../../format/block-flow'
import { RefusedFile } from '../../format/unreadable-file'
import type { NoteKind, WordNotes } from '../notes'
import type { WordNumbering } from '../numbering'
import { describeParagraph, placeParagraph, type WordParagraph } from '../paragraph'
import type { WordStyles } from '../styles'
import { withSigns } from '../symbol-fonts'
import { createWordTable, type WordTable } from '../table'
import { createLeftOut } from './skipped-elements'
import { characterOf, createFields, describeRun, mathSigns, type Run } from './text'

export interface DocxBody {
  handler: XmlHandler
  /** Blocks that are complete, each handed out once. */
  take(): Block[]
  /** What the first paragraph with text says, where it is in the style of a title; '' before that is read. */
  title(): string
  /** All that are left, at the end of the part. */
  takeAll(): Block[]
}

interface DocxContext {
  styles: WordStyles
  numbering: WordNumbering
  /** Given the notes of a part of notes; asked for those that a text refers to. */
  notes: WordNotes
}

const roots = /^w:(document|footnotes|endnotes)$/

/**
 * Reads the text of a document, or of its notes, as a person sees it with all changes accepted: what was deleted or is
 * hidden is left out, of a field its result is taken, and a text box that is there twice for older programs is read once.
 */
export function createDocxBody({ styles, numbering, notes }: DocxContext): DocxBody {
  const path: string[] = []
  const root = createBlockFlow()
  const flows: BlockFlow[] = [root]
  const paragraphs: WordParagraph[] = []
  const runs: Run[] = []
  const tables: WordTable[] = []
  const leftOut = createLeftOut()
  const fields = createFields()
  /** Text whose paragraph goes on in the next one of its flow. */
  let carried = { text: '', depth: 0 }
  let waitingNotes: Block[] = []
  let title: string | null = null
  let note: { kind: NoteKind; id: string } | null = null

  function openParagraph(): void {
    const isNext = carried.text !== '' && carried.depth === flows.length
    paragraphs.push({ text: isNext ? carried.text : '', style: '', runsOn: false, beside: [], notes: [] })
    if (isNext) carried = { text: '', depth: 0 }
  }

  function closeParagraph(): void {
    const paragraph = paragraphs.pop()
    const flow = flows.at(-1)
    if (!paragraph || !flow) return
    fields.endParagraph()
    if (paragraph.runsOn) {
      carried = { text: paragraph.text, depth: flows.length }
    } else {
      const placed = placeParagraph(paragraph, styles, numbering)
      if (placed) title ??= flow === root && placed.kind === 'block' ? titleOf(paragraph, placed.block) : ''
      if (placed?.kind === 'item') flow.putItem(placed.text, placed.level)
      else if (placed) put(flow, placed.block)
    }
    waitingNotes.push(...paragraph.notes)
    for (const block of paragraph.beside) put(flow, block)
    for (let at = tables.length - 1; at >= 0; at--) tables[at]?.relieve()
  }

  function titleOf({ style }: WordParagraph, block: Block): string {
    return block.kind === 'heading' && styles.of(style).role === 'title' ? block.text : ''
  }

  /** Notes stand behind the block that refers to them, those of a list or a table behind the whole. */
  function put(flow: BlockFlow, block: Block): void {
    if (flow === root) putNotes()
    flow.put(block)
  }

  function putNotes(): void {
    for (const waiting of waitingNotes) root.put(waiting)
    waitingNotes = []
  }

  function refer(paragraph: WordParagraph, kind: NoteKind, id: string): void {
    const taken = notes.take(kind, id)
    if (!taken) return
    paragraph.text += taken.mark
    paragraph.notes.push({ kind: 'paragraph', text: taken.text, anchor: null })
  }

  function openInRun(element: XmlElement, run: Run): void {
    const paragraph = paragraphs.at(-1)
    if (element.name === 'w:fldChar') fields.mark(attributeOf(element, 'fldCharType'))
    if (!paragraph || run.hidden || !fields.areShown()) return
    const id = attributeOf(element, 'id') ?? ''
    if (element.name === 'w:footnoteReference') refer(paragraph, 'footnote', id)
    else if (element.name === 'w:endnoteReference') refer(paragraph, 'endnote', id)
    else paragraph.text += characterOf(element, run.font)
  }

  function openInTable(element: XmlElement, table: WordTable): void {
    const value = attributeOf(element, 'val')
    if (element.name === 'w:tr') table.openRow()
    else if (element.name === 'w:gridBefore') table.skipColumns(Number(value) || 0)
    else if (element.name === 'w:gridSpan') table.span(Number(value) || 1)
    else if (element.name === 'w:vMerge') table.merge(value === 'restart' ? 'first' : 'further')
    else if (element.name === 'w:del' && path.at(-2) === 'w:trPr') table.dropRow()
  }

  function openContainer(element: XmlElement): void {
    const { name } = element
    if (name === 'w:p') openParagraph()
    else if (name === 'w:r') runs.push({ hidden: isHidden(paragraphs.at(-1)?.style ?? ''), font: '' })
    else if (name === 'w:tbl') {
      tables.at(-1)?.holdTable()
      if (flows.length === 1) putNotes()
      tables.push(createWordTable(flows.at(-1) ?? root))
    } else if (name === 'w:footnote' || name === 'w:endnote') {
      note = { kind: name === 'w:footnote' ? 'footnote' : 'endnote', id: attributeOf(element, 'id') ?? '' }
    }
    if (isFlow(name)) flows.push((name === 'w:tc' && tables.at(-1)?.openCell()) || createBlockFlow())
  }

  function isHidden(style: string): boolean {
    return styles.of(style).hidden === true
  }

  function closeFlow(name: string): void {
    const flow = flows.pop()
    const table = tables.at(-1)
    if (name === 'w:tc' && table) {
      table.closeCell()
      return
    }
    const blocks = flow?.takeAll() ?? []
    if (note && name.endsWith('note')) {
      notes.add(note.kind, note.id, blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' '))
      note = null
      return
    }
    const host = paragraphs.at(-1)
    for (const block of blocks) {
      if (host) host.beside.push(block)
      else put(flows.at(-1) ?? root, block)
    }
  }

  return {
    handler: {
      open(element) {
        const parent = path.at(-1) ?? ''
        path.push(element.name)
        if (path.length === 1 && !roots.test(element.name)) throw new RefusedFile('file-broken')
        const table = tables.at(-1)
        if (table && !leftOut.isInside()) openInTable(element, table)
        if (leftOut.open(element, parent)) return
        const paragraph = paragraphs.at(-1)
        const run = runs.at(-1)
        const before = mathSigns.before[element.name as 'm:sup']
        if (parent === 'w:r' && run) openInRun(element, run)
        else if (parent === 'w:rPr' && path.at(-3) === 'w:r' && run) describeRun(run, element, isHidden)
        else if (parent === 'w:rPr' && path.at(-3) === 'w:pPr' && paragraph)
          paragraph.runsOn ||= element.name === 'w:del'
        else if ((parent === 'w:pPr' || parent === 'w:numPr') && paragraph) describeParagraph(paragraph, element)
        else if (before && paragraph) paragraph.text += before
        openContainer(element)
      },
      text(piece) {
        if (leftOut.isInside()) return
        const paragraph = paragraphs.at(-1)
        const inside = path.at(-1)
        if (!paragraph || (inside !== 'w:t' && inside !== 'm:t') || !fields.areShown()) return
        const run = runs.at(-1)
        if (run?.hidden) return
        paragraph.text += withSigns(piece, run?.font ?? '')
        if (paragraph.text.length > fileLimits.word.blockCharacters) spill(paragraph)
      },
      close(name) {
        path.pop()
        if (leftOut.close(name)) return
        const after = mathSigns.after[name as 'm:num']
        const paragraph = paragraphs.at(-1)
        if (name === 'w:p') closeParagraph()
        else if (name === 'w:r') runs.pop()
        else if (name === 'w:tr') tables.at(-1)?.closeRow()
        else if (name === 'w:tbl') tables.pop()?.close()
        else if (isFlow(name)) closeFlow(name)
        else if (after && paragraph) paragraph.text += after
      },
    },
    take: root.take,
    title: () => title ?? '',
    takeAll() {
      if (carried.text !== '') {
        openParagraph()
        closeParagraph()
      }
      putNotes()
      return root.takeAll()
    },
  }

  /** A paragraph without an end is put in as it comes. */
  function spill(paragraph: WordParagraph): void {
    const end = paragraph.text.lastIndexOf(' ') + 1 || paragraph.text.length
    const rest = paragraph.text.slice(end)
    const placed = placeParagraph({ ...paragraph, numId: '0', text: paragraph.text.slice(0, end) }, styles, numbering)
    if (placed?.kind === 'block') (flows.at(-1) ?? root).put(placed.block)
    paragraph.text = rest
  }
}

/** Elements that hold blocks of their own. */
function isFlow(name: string): boolean {
  return name === 'w:tc' || name === 'w:txbxContent' || name === 'w:footnote' || name === 'w:endnote'
}
