import { readFile } from 'node:fs/promises'
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../limits'
import { catchUnreadable, UnreadableFile } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { pdfFacts } from './document-info'
import { mayHideText } from './file/render-modes'
import { repairs } from './file/repair'
import type { PdfFonts } from './fonts/fonts'
import { createPdfBlocks } from './layout/blocks'
import { readOutline } from './layout/headings'
import { createRunningLines } from './layout/running-headers'
import { type PdfHints, type PdfPage, readPdfPage } from './page'
import { patchPdf } from './patch'
import { openPdf } from './pdfjs'

/**
 * Reads a PDF page by page: its text in reading order, as far as that can be determined, with anchors like 'page=12'.
 * Skips damaged pages and what exceeds `fileLimits.pdf`, and says so in a note.
 */
export const readPdf: FileFormat = (path) => catchUnreadable(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  const data = await readFile(path)
  if (data.length === 0) throw new UnreadableFile('file-empty')
  const hints = { hidesText: mayHideText(data), hasImages: containsImage(data) }
  unlockText(data)
  const opened = await open(data, path)
  try {
    const document = await opened.task.promise
    yield { kind: 'facts', facts: await pdfFacts(document) }
    const { hasText, hasDamage, isShortened, read, scans } = yield* readPages(document, hints)
    const isDamaged = hasDamage || opened.isRepaired
    const withoutText = hints.hasImages ? 'file-scanned' : 'file-empty'
    if (!hasText) throw new UnreadableFile(isDamaged ? 'file-broken' : withoutText)
    if (read < document.numPages) yield { kind: 'note', reason: 'file-cut', pages: read }
    else if (isDamaged) yield { kind: 'note', reason: 'file-partly' }
    else if (scans > 0) yield { kind: 'note', reason: 'file-partly-scanned', pages: scans }
    else if (isShortened) yield { kind: 'note', reason: 'file-shortened' }
  } finally {
    await opened.task.destroy().catch(() => {})
  }
}

interface Opened {
  task: PDFDocumentLoadingTask
  isRepaired: boolean
}

/** Opens the file, or a repaired version of it. */
async function open(data: Buffer, path: string): Promise<Opened> {
  const task = await attempt(patchPdf(data))
  if (task === 'file-encrypted') throw new UnreadableFile(task)
  if (task !== 'file-broken') return { task, isRepaired: false }
  // pdfjs took over the bytes at the first attempt.
  for (const repaired of repairs(patchPdf(await readFile(path)))) {
    const repairedTask = await attempt(repaired)
    if (typeof repairedTask !== 'string') return { task: repairedTask, isRepaired: true }
  }
  throw new UnreadableFile(task)
}

async function attempt(data: Buffer): Promise<PDFDocumentLoadingTask | 'file-encrypted' | 'file-broken'> {
  const task = await openPdf(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  try {
    await task.promise
    return task
  } catch (error) {
    await task.destroy().catch(() => {})
    return error instanceof Error && error.name === 'PasswordException' ? 'file-encrypted' : 'file-broken'
  }
}

/** Images are streams of their own, whose dictionaries are never compressed. */
function containsImage(data: Buffer): boolean {
  for (const position of occurrencesOf('/Image', data)) {
    if (/\/Subtype\s*$/.test(data.toString('latin1', Math.max(0, position - 20), position))) return true
  }
  return false
}

/** Removes the encryption of a file that only encrypts attachments, which pdfjs does not support. */
function unlockText(data: Buffer): void {
  if (!hasIdentity('/StmF', data) || !hasIdentity('/StrF', data)) return
  for (const position of occurrencesOf('/Encrypt', data)) data.write('/Ignored', position, 'latin1')
}

function hasIdentity(filter: string, data: Buffer): boolean {
  for (const position of occurrencesOf(filter, data)) {
    if (/^\S+\s*\/Identity\b/.test(data.toString('latin1', position, position + 40))) return true
  }
  return false
}

function* occurrencesOf(word: string, data: Buffer): Generator<number> {
  for (let index = data.indexOf(word); index >= 0; index = data.indexOf(word, index + word.length)) yield index
}

interface ReadPages {
  hasText: boolean
  hasDamage: boolean
  isShortened: boolean
  /** Pages read, and how many of them are scans. */
  read: number
  scans: number
}

async function* readPages(document: PDFDocumentProxy, hints: PdfHints): AsyncGenerator<FilePart, ReadPages> {
  const { bufferedPages, bufferedCharacters, readMs, pages: maxPages } = fileLimits.pdf
  const total = Math.min(document.numPages, maxPages)
  const fonts: PdfFonts = new Map()
  const running = createRunningLines(total)
  const blocks = createPdfBlocks(await readOutline(document), fonts)
  let hasText = false
  let hasDamage = false
  let isShortened = false
  let read = 0
  let scans = 0
  let buffered: PdfPage[] = []
  let characters = 0
  /** Time spent on reading, without that of the consumer. */
  let spentMs = 0
  for (let number = 1; number <= total; number += 1) {
    const before = performance.now()
    try {
      const page = await readPdfPage(document, number, fonts, hints)
      if (page.isScan) scans += 1
      running.record(page)
      buffered.push(page)
      hasDamage ||= page.missing === 'damaged'
      isShortened ||= page.missing === 'end'
      characters += page.spans.reduce((sum, span) => sum + span.text.length, 0)
    } catch {
      hasDamage = true
    }
    spentMs += performance.now() - before
    const isLast = number === total || spentMs > readMs
    read = number
    yield { kind: 'progress', done: number, total }
    if (buffered.length < bufferedPages && characters < bufferedCharacters && !isLast) continue
    const found = blocks.add(buffered.map(running.remove))
    if (isLast) found.push(...blocks.end())
    if (found.length > 0) yield { kind: 'blocks', blocks: found }
    hasText ||= found.length > 0
    if (isLast) break
    buffered = []
    characters = 0
  }
  return { hasText, hasDamage, isShortened, read, scans }
}
