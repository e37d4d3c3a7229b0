import { stat } from 'node:fs/promises'
import { type FileType, maxFileBytes } from '../../../contract/sources/file'
import { checkFileType } from './file-type'
import { catchUnreadable, UnreadableFile } from './format/unreadable-file'
import type { FileFormat, FilePart, FileToRead } from './ports'

/** Loads only the reader that is needed, since some are large. */
const formats: Record<FileType, () => Promise<FileFormat>> = {
  txt: async () => (await import('./text/text')).readText,
  csv: async () => (await import('./sheets/csv/csv')).readCsv,
  pdf: async () => (await import('./pdf/pdf')).readPdf,
  doc: async () => (await import('./word/doc/doc')).readDoc,
  docx: async () => (await import('./word/docx/docx')).readDocx,
  xls: async () => (await import('./sheets/sheet')).readSheet,
  md: async () => (await import('./markup/markdown')).readMarkdown,
  html: async () => (await import('./markup/html')).readHtml,
  pptx: async () => (await import('./slides/pptx')).readPptx,
  xlsx: async () => (await import('./sheets/sheet')).readSheet,
}

/**
 * Reads a file of any type. Refuses files whose content does not match their type, and files without text. Never throws
 * on a bad file.
 */
export function readFileParts(file: FileToRead): AsyncGenerator<FilePart> {
  return catchUnreadable(readParts(file))
}

async function* readParts({ path, type }: FileToRead): AsyncGenerator<FilePart> {
  const { size } = await stat(path)
  if (size === 0) throw new UnreadableFile('file-empty')
  if (size > maxFileBytes) throw new UnreadableFile('file-too-large')
  const refusal = await checkFileType(path, type)
  if (refusal !== null) throw new UnreadableFile(refusal)
  const read = await formats[type]()
  let hasText = false
  for await (const part of read(path)) {
    if (part.kind === 'blocks') hasText ||= part.blocks.some(({ text }) => /\S/.test(text))
    yield part
    if (part.kind === 'refused') return
  }
  if (!hasText) throw new UnreadableFile('file-empty')
}
