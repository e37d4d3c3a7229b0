import { readFile } from 'node:fs/promises'
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api'
import { fileLimits } from '../../limits'
import { RefusedFile, refusing } from '../format/unreadable-file'
import type { FileFormat, FilePart } from '../ports'
import { pdfFacts } from './document-info'
import { mended } from './file/patch'
import { mayHideText } from './file/render-modes'
import { repairs } from './file/repair'
import type { PdfFonts } from './fonts/fonts'
import { createPdfBlocks } from './layout/blocks'
import { readOutline } from './layout/headings'
import { createRunningLines } from './layout/running-headers'
import { type PdfPage, type PdfSuspicion, readPdfPage } from './page'
import { openPdf } from './pdfjs'

/**
 * Reads a PDF page by page: its text in the order of reading, as far as that can be told, with 'page=12' as anchors.
 * Damaged pages are left out, and so is what is behind the limits in `fileLimits.pdf`; a note says so.
 */
export const readPdf: FileFormat = (path) => refusing(readParts(path))

async function* readParts(path: string): AsyncGenerator<FilePart> {
  const data = await readFile(path)
  if (data.length === 0) throw new RefusedFile('file-empty')
  const suspicion = { hidesText: mayHideText(data), hasImages: holdsImage(data) }
  unlockText(data)
  const opened = await open(data, path)
  try {
    const document = await opened.task.promise
    yield { kind: 'facts', facts: await pdfFacts(document) }
    const { hasText, hasDamage, isShortened, read, scans } = yield* readPages(document, suspicion)
    const isDamaged = hasDamage || opened.isRepaired
    const withoutText = suspicion.hasImages ? 'file-scanned' : 'file-empty'
    if (!hasText) throw new RefusedFile(isDamaged ? 'file-broken' : withoutText)
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

/** Opens the file, or what can be made of it. */
async function open(data: Buffer, path: string): Promise<Opened> {
  const whole = await attempt(mended(data))
  if (whole === 'file-encrypted') throw new RefusedFile(whole)
  if (whole !== 'file-broken') return { task: whole, isRepaired: false }
  // The bytes have gone with the first attempt.
  for (const repaired of repairs(mended(await readFile(path)))) {
    const task = await attempt(repaired)
    if (typeof task !== 'string') return { task, isRepaired: true }
  }
  throw new RefusedFile(whole)
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

/** Images stand in streams of their own, whose dictionaries are never packed. */
function holdsImage(data: Buffer): boolean {
  for (const at of placesOf('/Image', data)) {
    if (/\/Subtype\s*$/.test(data.toString('latin1', Math.max(0, at - 20), at))) return true
  }
  return false
}

/** A password may be for the attachments alone: then the encryption is overlooked, which pdfjs knows only as a whole. */
function unlockText(data: Buffer): void {
  if (!hasIdentity('/StmF', data) || !hasIdentity('/StrF', data)) return
  for (const at of placesOf('/Encrypt', data)) data.write('/Ignored', at, 'latin1')
}

function hasIdentity(filter: string, data: Buffer): boolean {
  for (const at of placesOf(filter, data)) {
    if (/^\S+\s*\/Identity\b/.test(data.toString('latin1', at, at + 40))) return true
  }
  return false
}

function* placesOf(word: string, data: Buffer): Generator<number> {
  for (let at = data.indexOf(word); at >= 0; at = data.indexOf(word, at + word.length)) yield at
}

interface ReadPages {
  hasText: boolean
  hasDamage: boolean
  isShortened: boolean
  /** How many were read, and how many of them are images of pages. */
  read: number
  scans: number
}

async function* readPages(document: PDFDocumentProxy, suspicion: PdfSuspicion): AsyncGenerator<FilePart, ReadPages> {
  const { heldPages, heldCharacters, readMs, pages: mostPages } = fileLimits.pdf
  const total = Math.min(document.numPages, mostPages)
  const fonts: PdfFonts = new Map()
  const running = createRunningLines(total)
  const blocks = createPdfBlocks(await readOutline(document), fonts)
  let hasText = false
  let hasDamage = false
  let isShortened = false
  let read = 0
  let scans = 0
  let held: PdfPage[] = []
  let characters = 0
  /** Spent on reading; the rest belongs to those who take the parts. */
  let spentMs = 0
  for (let number = 1; number <= total; number += 1) {
    const before = performance.now()
    try {
      const page = await readPdfPage(document, number, fonts, suspicion)
      if (page.isScan) scans += 1
      running.note(page)
      held.push(page)
      hasDamage ||= page.lacks === 'damaged'
      isShortened ||= page.lacks === 'end'
      characters += page.spans.reduce((sum, span) => sum + span.text.length, 0)
    } catch {
      hasDamage = true
    }
    spentMs += performance.now() - before
    const isLast = number === total || spentMs > readMs
    read = number
    yield { kind: 'progress', done: number, total }
    if (held.length < heldPages && characters < heldCharacters && !isLast) continue
    const found = blocks.add(held.map(running.drop))
    if (isLast) found.push(...blocks.end())
    if (found.length > 0) yield { kind: 'blocks', blocks: found }
    hasText ||= found.length > 0
    if (isLast) break
    held = []
    characters = 0
  }
  return { hasText, hasDamage, isShortened, read, scans }
}
