import type { FilePart, FileRefusal } from '../ports'

/** Thrown inside of the readers of files where a file cannot be read; `refusing` turns it into the last part. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
  readonly reason: FileRefusal

  constructor(reason: FileRefusal) {
    super(reason)
    this.reason = reason
  }
}

/** Hands the parts on; what is thrown on the way, by us or by a library, becomes a refusal. */
export async function* refusing(parts: AsyncGenerator<FilePart>): AsyncGenerator<FilePart> {
  try {
    yield* parts
  } catch (error) {
    yield { kind: 'refused', reason: refusalOf(error) }
  }
}

/** Why a file was not read, by what its reader threw. A failure of the machine is thrown again: it is not the file's. */
function refusalOf(error: unknown): FileRefusal {
  if (error instanceof RefusedFile) return error.reason
  // A stack, a string or an array that would be too long.
  if (error instanceof RangeError && /stack size|string length|array length/i.test(error.message)) {
    return 'file-too-complex'
  }
  if (error instanceof Error && 'syscall' in error) throw error
  return 'file-broken'
}
