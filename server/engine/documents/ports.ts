import type { FileType } from '../../../contract/file'
import type { Block, Fragment } from '../ports'

export interface FileFacts {
  /** What the file calls itself; '' where it does not. */
  title: string
  /** BCP 47, lower case, or '' where the file does not say; then what its text is likely in, where that is certain. */
  language: string
  /** In milliseconds since 1970, as the file says itself; null where it does not. */
  publishedAt: number | null
  modifiedAt: number | null
}

/** Why a file was not read. The words for a person are in `contract/reasons.ts`. */
export type FileRefusal =
  | 'file-broken'
  | 'file-encrypted'
  | 'file-scanned'
  | 'file-empty'
  | 'file-too-complex'
  | 'file-mismatch'
  | 'file-unknown'
  | 'file-too-large'

/**
 * The file is in, but not all of it: it was cut behind so many pages, damaged pages were left out, so many of its pages are
 * images without text, or the ends of parts that are over a limit (cells, rows, pages) are missing.
 */
export interface FileNote {
  kind: 'note'
  reason: 'file-cut' | 'file-partly' | 'file-partly-scanned' | 'file-shortened'
  pages?: number
}

/**
 * What a reader of one type of file finds, in this order: the facts, then blocks and progress as they come; a refusal,
 * at any place, is the last part. Anchors of blocks are places of the file: 'page=12', 'row=7', 'sheet=Prices&row=7'
 * (the name of a sheet as a part of an address).
 */
export type FilePart =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'blocks'; blocks: Block[] }
  /** How far the reader is, in units of its own. */
  | { kind: 'progress'; done: number; total: number }
  | FileNote
  | { kind: 'refused'; reason: FileRefusal }

/** Reads the file at `path`; holds no more of it in memory than its format asks for. Never throws on a bad file. */
export type FileFormat = (path: string) => AsyncGenerator<FilePart>

export interface FileToRead {
  /** On this machine. */
  path: string
  /** What people call it; the title of a file that has none of its own. */
  name: string
  /** As its name says; the content has to agree. */
  type: FileType
}

/** What comes of a file, in this order: facts, then fragments, then its end or a refusal; progress anywhere. */
export type FileReading =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'progress'; done: number; total: number }
  /** The next ones, in their order. */
  | { kind: 'fragments'; fragments: Fragment[] }
  | FileNote
  | { kind: 'end'; textHash: string }
  | { kind: 'refused'; reason: FileRefusal }

/** Turns a file into fragments, in a process of its own with limits of time and memory. */
export interface FileReader {
  /**
   * Who asks sets the pace: the reading waits for it. Throws only when `signal` aborts, the reader is closed, or the
   * machine fails: it starts no process, or the file is not there or cannot be read.
   */
  read(file: FileToRead, signal: AbortSignal): AsyncIterable<FileReading>
  close(): Promise<void>
}
