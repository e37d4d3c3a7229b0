import { stat } from 'node:fs/promises'
import { type FileType, largestFile } from '../../../contract/file'
import { refusalOfType } from './file-type'
import { RefusedFile, refusing } from './format/unreadable-file'
import type { FileFormat, FilePart, FileToRead } from './ports'

/** Only the reader that is needed is loaded: some of them are large. */
const formats: Record<FileType, () => Promise<FileFormat>> = {
  txt: async () => (await import('./text/text')).readText,
  csv: async () => (await import('./sheets/csv/csv')).readCsv,
  pdf: async () => (await import('./pdf/pdf')).readPdf,
  doc: async () => (await import('./word/doc/doc')).readDoc,
  docx: async () => (await import('./word/docx/docx')).readDocx,
  xls: async () => (await import('./sheets/sheet')).readSheet,
  xlsx: async () => (await import('./sheets/sheet')).readSheet,
}

/**
 * Reads a file of any type. A file whose content is of another type than its name says is refused, and so is one in
 * which no text was found. Never throws on a bad file.
 */
export function readFileParts(file: FileToRead): AsyncGenerator<FilePart> {
  return refusing(readParts(file))
}

async function* readParts({ path, type }: FileToRead): AsyncGenerator<FilePart> {
  const { size } = await stat(path)
  if (size === 0) throw new RefusedFile('file-empty')
  if (size > largestFile) throw new RefusedFile('file-too-large')
  const refusal = await refusalOfType(path, type)
  if (refusal !== null) throw new RefusedFile(refusal)
  const read = await formats[type]()
  let hasText = false
  for await (const part of read(path)) {
    if (part.kind === 'blocks') hasText ||= part.blocks.some(({ text }) => /\S/.test(text))
    yield part
    if (part.kind === 'refused') return
  }
  if (!hasText) throw new RefusedFile('file-empty')
}
