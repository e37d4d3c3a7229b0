import { fileLimits } from '../../../limits'
import type { Block } from '../../../ports/extractor'
import { attributeOf, type XmlElement, type XmlHandler } from '../../containers/xml-reader'
import { type BlockFlow, createBlockFlow } from '../../format/block-flow'
import { UnreadableFile } from '../../format/unreadable-file'
import type { NoteKind, WordNotes } from '../notes'
import type { WordNumbering } from '../numbering'
import { applyParagraphProperty, interpretParagraph, type WordParagraph } from '../paragraph'
import type { WordStyles } from '../styles'
import { replaceSymbols } from '../symbol-fonts'
import { createWordTable, type WordTable } from '../table'
import { createSkippedElements } from './skipped-elements'
import { applyRunProperty, characterOf, createFields, mathOperators, type Run } from './text'

export interface DocxBody {
  handler: XmlHandler
  /** Removes and returns the finished blocks. */
  drain(): Block[]
  /** The first paragraph with text if it is in the title style, else ''; '' before it is read. */
  title(): string
  /** Returns the remaining blocks, at the end of the part. */
  flush(): Block[]
}

interface DocxContext {
  styles: WordStyles
  numbering: WordNumbering
  /** Receives the notes of a part of notes, and returns those that the text refers to. */
  notes: WordNotes
}

const roots = /^w:(document|footnotes|endnotes)$/

/**
 * Reads the text of a document or its notes as a person sees it, with all tracked changes accepted: without deleted and
 * hidden text, with the results of fields, and with one of several alternatives of a text box.
 */
export function createDocxBody({ styles, numbering, notes }: DocxContext): DocxBody {
  const path: string[] = []
  const root = createBlockFlow()
  const flows: BlockFlow[] = [root]
  const paragraphs: WordParagraph[] = []
  const runs: Run[] = []
  const tables: WordTable[] = []
  const skipped = createSkippedElements()
  const fields = createFields()
  /** Text of a paragraph that continues in the next one of its flow. */
  let continued = { text: '', depth: 0 }
  let pendingNotes: Block[] = []
  let title: string | null = null
  let note: { kind: NoteKind; id: string } | null = null

  function openParagraph(): void {
    const isNext = continued.text !== '' && continued.depth === flows.length
    paragraphs.push({ text: isNext ? continued.text : '', style: '', continues: false, textBoxes: [], notes: [] })
    if (isNext) continued = { text: '', depth: 0 }
  }

  function closeParagraph(): void {
    const paragraph = paragraphs.pop()
    const flow = flows.at(-1)
    if (!paragraph || !flow) return
    fields.endParagraph()
    if (paragraph.continues) {
      continued = { text: paragraph.text, depth: flows.length }
    } else {
      const content = interpretParagraph(paragraph, styles, numbering)
      if (content) title ??= flow === root && content.kind === 'block' ? titleOf(paragraph, content.block) : ''
      if (content?.kind === 'item') flow.addItem(content.text, content.level)
      else if (content) addBlock(flow, content.block)
    }
    pendingNotes.push(...paragraph.notes)
    for (const block of paragraph.textBoxes) addBlock(flow, block)
    for (let index = tables.length - 1; index >= 0; index--) tables[index]?.flushCell()
  }

  function titleOf({ style }: WordParagraph, block: Block): string {
    return block.kind === 'heading' && styles.of(style).role === 'title' ? block.text : ''
  }

  /** Notes follow the block that refers to them; those of a list or a table follow all of it. */
  function addBlock(flow: BlockFlow, block: Block): void {
    if (flow === root) addNotes()
    flow.add(block)
  }

  function addNotes(): void {
    for (const note of pendingNotes) root.add(note)
    pendingNotes = []
  }

  function addNoteReference(paragraph: WordParagraph, kind: NoteKind, id: string): void {
    const referred = notes.claim(kind, id)
    if (!referred) return
    paragraph.text += referred.mark
    paragraph.notes.push({ kind: 'paragraph', text: referred.text, anchor: null })
  }

  function openInRun(element: XmlElement, run: Run): void {
    const paragraph = paragraphs.at(-1)
    if (element.name === 'w:fldChar') fields.add(attributeOf(element, 'fldCharType'))
    if (!paragraph || run.hidden || !fields.isVisible()) return
    const id = attributeOf(element, 'id') ?? ''
    if (element.name === 'w:footnoteReference') addNoteReference(paragraph, 'footnote', id)
    else if (element.name === 'w:endnoteReference') addNoteReference(paragraph, 'endnote', id)
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
      tables.at(-1)?.markNested()
      if (flows.length === 1) addNotes()
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
    const blocks = flow?.flush() ?? []
    if (note && name.endsWith('note')) {
      notes.add(note.kind, note.id, blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' '))
      note = null
      return
    }
    const parentParagraph = paragraphs.at(-1)
    for (const block of blocks) {
      if (parentParagraph) parentParagraph.textBoxes.push(block)
      else addBlock(flows.at(-1) ?? root, block)
    }
  }

  return {
    handler: {
      open(element) {
        const parent = path.at(-1) ?? ''
        path.push(element.name)
        if (path.length === 1 && !roots.test(element.name)) throw new UnreadableFile('file-broken')
        const table = tables.at(-1)
        if (table && !skipped.isSkipping()) openInTable(element, table)
        if (skipped.open(element, parent)) return
        const paragraph = paragraphs.at(-1)
        const run = runs.at(-1)
        const before = mathOperators.before[element.name as 'm:sup']
        if (parent === 'w:r' && run) openInRun(element, run)
        else if (parent === 'w:rPr' && path.at(-3) === 'w:r' && run) applyRunProperty(run, element, isHidden)
        else if (parent === 'w:rPr' && path.at(-3) === 'w:pPr' && paragraph)
          paragraph.continues ||= element.name === 'w:del'
        else if ((parent === 'w:pPr' || parent === 'w:numPr') && paragraph) applyParagraphProperty(paragraph, element)
        else if (before && paragraph) paragraph.text += before
        openContainer(element)
      },
      text(chunk) {
        if (skipped.isSkipping()) return
        const paragraph = paragraphs.at(-1)
        const current = path.at(-1)
        if (!paragraph || (current !== 'w:t' && current !== 'm:t') || !fields.isVisible()) return
        const run = runs.at(-1)
        if (run?.hidden) return
        paragraph.text += replaceSymbols(chunk, run?.font ?? '')
        if (paragraph.text.length > fileLimits.word.blockCharacters) spill(paragraph)
      },
      close(name) {
        path.pop()
        if (skipped.close(name)) return
        const after = mathOperators.after[name as 'm:num']
        const paragraph = paragraphs.at(-1)
        if (name === 'w:p') closeParagraph()
        else if (name === 'w:r') runs.pop()
        else if (name === 'w:tr') tables.at(-1)?.closeRow()
        else if (name === 'w:tbl') tables.pop()?.close()
        else if (isFlow(name)) closeFlow(name)
        else if (after && paragraph) paragraph.text += after
      },
    },
    drain: root.drain,
    title: () => title ?? '',
    flush() {
      if (continued.text !== '') {
        openParagraph()
        closeParagraph()
      }
      addNotes()
      return root.flush()
    },
  }

  /** Adds the text of a paragraph that exceeds the maximum length as a paragraph, and keeps the last word for the next. */
  function spill(paragraph: WordParagraph): void {
    const end = paragraph.text.lastIndexOf(' ') + 1 || paragraph.text.length
    const rest = paragraph.text.slice(end)
    const content = interpretParagraph(
      { ...paragraph, numId: '0', text: paragraph.text.slice(0, end) },
      styles,
      numbering,
    )
    if (content?.kind === 'block') (flows.at(-1) ?? root).add(content.block)
    paragraph.text = rest
  }
}

/** Whether an element contains blocks of its own. */
function isFlow(name: string): boolean {
  return name === 'w:tc' || name === 'w:txbxContent' || name === 'w:footnote' || name === 'w:endnote'
}
