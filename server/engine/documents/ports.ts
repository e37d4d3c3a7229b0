import type { FileType } from '../../../contract/sources/file'
import type { Block, Fragment } from '../ports/extractor'

export interface FileFacts {
  /** The title in the file's metadata; '' without one. */
  title: string
  /**
   * BCP 47, lower case; '' if unknown. A reader yields what the metadata claim, which is often the default of a program;
   * `readDocument` detects it from the text.
   */
  language: string
  /** Time of publication by the file's metadata, in milliseconds since 1970; null without one. */
  publishedAt: number | null
  modifiedAt: number | null
}

/** Why a file was not read. The texts for people are in `contract/reasons.ts`. */
export type FileRefusal =
  | 'file-broken'
  | 'file-encrypted'
  | 'file-scanned'
  | 'file-encoding'
  | 'file-empty'
  | 'file-too-complex'
  | 'file-mismatch'
  | 'file-unknown'
  | 'file-too-large'

/**
 * The file is indexed, but not completely: its end was cut off (`pages` were read), damaged pages are missing, `pages`
 * are images without text, or cells, rows or pages over a limit are missing.
 */
export interface FileNote {
  kind: 'note'
  reason: 'file-cut' | 'file-partly' | 'file-partly-scanned' | 'file-shortened'
  pages?: number
}

/**
 * What a reader of a file type yields: first the facts, then blocks and progress; a refusal ends the file at any point.
 * Anchors of blocks are places in the file: 'page=12', 'row=7', 'sheet=Prices&row=7' (the name of the sheet
 * percent-encoded).
 */
export type FilePart =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'blocks'; blocks: Block[] }
  /** Progress, in units of the reader. */
  | { kind: 'progress'; done: number; total: number }
  | FileNote
  | { kind: 'refused'; reason: FileRefusal }

/** Reads the file at `path`, with no more of it in memory than the format requires. Never throws on a bad file. */
export type FileFormat = (path: string) => AsyncGenerator<FilePart>

export interface FileToRead {
  /** A local path. */
  path: string
  /** The file's name as people see it; the title of a file without one. */
  name: string
  /** The type by the name; the content has to agree. */
  type: FileType
}

/** What reading a file yields: facts, then fragments, then its end or a refusal; progress at any point. */
export type FileReading =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'progress'; done: number; total: number }
  /** The next fragments, in order. */
  | { kind: 'fragments'; fragments: Fragment[] }
  | FileNote
  | { kind: 'end'; textHash: string }
  | { kind: 'refused'; reason: FileRefusal }

/** Turns files into fragments, each in a process of its own with limits of time and memory. */
export interface FileReader {
  /**
   * Reads a file at the pace of the consumer. Throws only if `signal` aborts, the reader is closed, no process can be
   * started, or the file is missing or unreadable on disk.
   */
  read(file: FileToRead, signal: AbortSignal): AsyncIterable<FileReading>
  close(): Promise<void>
}
