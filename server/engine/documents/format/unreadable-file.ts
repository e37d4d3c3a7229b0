import type { FilePart, FileRefusal } from '../ports'

/** Thrown by readers of files that cannot read one; `catchUnreadable` turns it into a final part. */
export class UnreadableFile extends Error {
  override readonly name = 'RefusedFile'
  readonly reason: FileRefusal

  constructor(reason: FileRefusal) {
    super(reason)
    this.reason = reason
  }
}

/** Passes parts on, and turns errors of ours or of a library into a refusal. */
export async function* catchUnreadable(parts: AsyncGenerator<FilePart>): AsyncGenerator<FilePart> {
  try {
    yield* parts
  } catch (error) {
    yield { kind: 'refused', reason: refusalOf(error) }
  }
}

/** Returns why a file could not be read. Rethrows system errors, which are not the file's fault. */
function refusalOf(error: unknown): FileRefusal {
  if (error instanceof UnreadableFile) return error.reason
  // A stack, a string or an array became too large.
  if (error instanceof RangeError && /stack size|string length|array length/i.test(error.message)) {
    return 'file-too-complex'
  }
  if (error instanceof Error && 'syscall' in error) throw error
  return 'file-broken'
}
