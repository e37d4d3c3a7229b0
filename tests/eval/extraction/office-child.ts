import { readFileSync } from 'node:fs'
import { read, utils } from '@e965/xlsx'
import WordExtractor from 'word-extractor'
import type { FileType } from '../../../contract/sources/file'
import type { FileRefusal } from '../../../server/engine/documents/ports'
import { readFileParts } from '../../../server/engine/documents/read-file'

export interface OfficeTask {
  reader: 'ours' | 'peer'
  path: string
  type: FileType
}

/** 'error' is what a peer throws. */
export type OfficeAnswer = 'text' | 'no text' | 'error' | FileRefusal

process.on('message', async (task: OfficeTask) => {
  process.send?.(await (task.reader === 'ours' ? readOurs(task) : readPeer(task).catch(() => 'error')))
})

async function readOurs({ path, type }: OfficeTask): Promise<OfficeAnswer> {
  let hasText = false
  for await (const part of readFileParts({ path, type, name: '' })) {
    if (part.kind === 'refused') return part.reason
    if (part.kind === 'blocks') hasText ||= part.blocks.some(({ text }) => /\S/.test(text))
  }
  return hasText ? 'text' : 'no text'
}

async function readPeer({ path, type }: OfficeTask): Promise<OfficeAnswer> {
  const text = type === 'doc' || type === 'docx' ? await readWord(path) : readSheets(path)
  return /[^\s,]/.test(text) ? 'text' : 'no text'
}

async function readWord(path: string): Promise<string> {
  const document = await new WordExtractor().extract(path)
  return [document.getBody(), document.getFootnotes(), document.getEndnotes(), document.getTextboxes()].join('\n')
}

function readSheets(path: string): string {
  const workbook = read(readFileSync(path))
  return workbook.SheetNames.map((name) => utils.sheet_to_csv(workbook.Sheets[name] ?? {})).join('\n')
}
