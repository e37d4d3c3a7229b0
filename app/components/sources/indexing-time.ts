import { useRouteLoaderData } from '@remix-run/react'
import { type FileType, fileTypeOf } from '../../../contract/sources/file'
import { formatDuration } from '../ui/format'

/**
 * Bytes of a file for one fragment: an estimate, not a measurement. Fragments have about a thousand characters; PDFs and
 * Word files also hold fonts and pictures, and Office files are compressed.
 */
const bytesPerFragment: Record<FileType, number> = {
  txt: 1_000,
  csv: 1_000,
  pdf: 6_000,
  doc: 4_000,
  docx: 1_500,
  xls: 2_000,
  xlsx: 500,
  md: 1_000,
  html: 5_000,
  pptx: 20_000,
}
/**
 * Passages a second of a server that has not embedded anything since its start: two cores embed 110 to 250.
 */
const typicalRate = 100
const minMentionedSeconds = 60

/** Fragments a second that this server embeds. */
export function useIndexingRate(): number {
  const loaded = useRouteLoaderData('routes/dashboard+/collection+/$collectionId') as
    | { indexingRate?: number }
    | undefined
  return loaded?.indexingRate || typicalRate
}

/** How long the indexing of a chosen file will take; null if that is not worth mentioning. */
export function fileIndexingNote({ name, size }: Pick<File, 'name' | 'size'>, rate: number): string | null {
  const type = fileTypeOf(name)
  const seconds = type ? size / bytesPerFragment[type] / rate : 0
  if (seconds < minMentionedSeconds) return null
  return `Indexing takes about ${formatDuration(seconds)} after the upload. Keyword search works meanwhile.`
}

/** What a preview says of the second stage of a run. */
export function previewIndexingNote(estimate: { fragments: number; seconds: number }, rate: number): string {
  const seconds = estimate.fragments / rate
  const start = seconds > estimate.seconds ? 'Indexing takes longer than crawling' : 'Indexing follows'
  return `${start}: about ${formatDuration(seconds)} for semantic search. Keyword search finds each page as soon as it is read.`
}
