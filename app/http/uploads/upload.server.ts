import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { AppLoadContext } from '@remix-run/node'
import { fileNameOf } from '../../../contract/sources/file'
import { AppError } from '../../../server/errors'
import type { Receiver } from '../../../server/services/file-sources/file-sources'
import type { StagedFile } from '../../../server/services/files/files'
import { bodyTooLarge, maxBodyBytes, nulProblem } from '../body.server'

export interface UploadForm {
  /** The last value of a field that was sent twice. */
  fields: Record<string, string>
  /** Null if none was sent. */
  file: StagedFile | null
}

const limits = { fieldSize: maxBodyBytes, fields: 60, files: 2, parts: 64, headerPairs: 20 }
const maxFieldNameLength = 100
/** An upload that sends nothing for this long is cancelled. */
const idleMs = 60_000

export function isMultipart(request: Request): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}

/**
 * Reads a multipart form of a signed-in person with at most one file, which is streamed to `receiver`, then calls `work`.
 * A file that `work` does not take over is discarded. Throws invalid_input and too_large, and what receiver and work
 * throw.
 */
export async function withUpload<Result>(
  { services, allowSlowBody }: Pick<AppLoadContext, 'services' | 'allowSlowBody'>,
  request: Request,
  receiver: () => Promise<Receiver>,
  work: (form: UploadForm) => Promise<Result>,
): Promise<Result> {
  allowSlowBody()
  const receive = await receiver()
  // The other fields have their own, far smaller limit.
  services.files.assertSize(Number(request.headers.get('content-length')) - maxBodyBytes)
  const form = await readParts(request, receive)
  try {
    return await work(form)
  } finally {
    if (form.file) await services.files.discard(form.file)
  }
}

/** If this rejects, the file has been discarded and the rest of the body is unread. */
async function readParts(request: Request, receive: Receiver): Promise<UploadForm> {
  const fields = new Map<string, string>()
  const uploads: { stream: Readable; staged: Promise<StagedFile | null> }[] = []
  const parser = parserOf(request)
  const { fail, orFailure } = createFailure()
  let length = 0
  parser
    .on('field', (name: string | undefined, value, _isNameCut, isCut) => {
      length += value.length
      if (isCut || length > maxBodyBytes) return fail(bodyTooLarge())
      const problem = nameProblem(name) ?? nulProblem(name ?? '', value)
      if (problem) fail(problem)
      else fields.set(name ?? '', value)
    })
    .on('file', (field: string | undefined, stream, name: string | undefined) => {
      // The parser only reports a part that ends early; its reader must fail, too.
      stream.on('error', (error) => stream.destroy(error))
      const problem = nameProblem(field) ?? fileProblem(field, uploads.length)
      if (problem) return fail(problem)
      const staged = stageFile(stream, name ?? '', receive)
      uploads.push({ stream, staged })
      staged.catch(fail)
    })
    .on('fieldsLimit', () => fail(brokenForm('The form has too many fields.')))
    .on('partsLimit', () => fail(brokenForm('The form has too many parts.')))
    .on('error', (error) => fail(brokenForm(undefined, error)))
  const files = () => Promise.all(uploads.map(({ staged }) => staged))
  try {
    await pump(request, parser, orFailure)
    const [file = null] = await orFailure(files())
    return { fields: Object.fromEntries(fields), file }
  } catch (error) {
    for (const { stream } of uploads) stream.destroy(error instanceof Error ? error : undefined)
    await Promise.allSettled(uploads.map(({ staged }) => staged))
    throw error
  }
}

type OrFailure = <Value>(work: Promise<Value>) => Promise<Value>

/**
 * `orFailure` rejects as soon as `fail` is called. A race against one promise per upload would keep every chunk in memory
 * until the end.
 */
function createFailure(): { fail(problem: unknown): void; orFailure: OrFailure } {
  let failure: { problem: unknown } | null = null
  let interrupt = (_problem: unknown) => {}
  return {
    fail(problem) {
      failure ??= { problem }
      interrupt(problem)
    },
    orFailure: (work) =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure.problem)
        interrupt = reject
        work.then(resolve, reject)
      }),
  }
}

/** Resolves when all of the body is parsed. */
async function pump(request: Request, parser: BusboyInstance, orFailure: OrFailure): Promise<void> {
  const reader = request.body?.getReader()
  const finished = once(parser, 'finish')
  finished.catch(() => {})
  const idle = setTimeout(() => void reader?.cancel().catch(() => {}), idleMs)
  try {
    for (;;) {
      const next = reader && (await orFailure(reader.read().catch(throwEndedEarly)))
      if (!next || next.done) break
      idle.refresh()
      if (!parser.write(next.value)) await orFailure(once(parser, 'drain'))
    }
    parser.end()
    await orFailure(finished)
  } finally {
    clearTimeout(idle)
  }
}

function throwEndedEarly(cause: unknown): never {
  throw new AppError('invalid_input', 'The upload ended early.', { cause })
}

function parserOf(request: Request): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': request.headers.get('content-type') ?? '' }, limits })
  } catch (cause) {
    throw brokenForm(undefined, cause)
  }
}

/** Null if no file was chosen: browsers send an empty part without a name then. */
async function stageFile(stream: Readable, name: string, receive: Receiver): Promise<StagedFile | null> {
  if (fileNameOf(name) !== '') return receive(name, stream)
  // The receiver rejects a file without a name.
  for await (const chunk of stream) if (chunk.length > 0) return receive(name, stream)
  return null
}

function nameProblem(name: string | undefined): AppError | null {
  if (!name) return brokenForm('A part of the form has no name.')
  if (name.length <= maxFieldNameLength) return null
  return wrongField(name.slice(0, 40), 'The name of this field is too long.')
}

function fileProblem(field = '', before: number): AppError | null {
  if (field !== 'file') return wrongField(field, 'Send the file in the field file.')
  return before > 0 ? wrongField('file', 'Send one file at a time.') : null
}

function wrongField(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { details: { fields: { [field]: [message] } } })
}

function brokenForm(message = 'The form cannot be read.', cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause })
}
