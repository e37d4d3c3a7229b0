import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { AppLoadContext } from '@remix-run/node'
import { fileNameOf } from '../../contract/file'
import { AppError } from '../../server/errors'
import type { Receiver } from '../../server/services/files/file-sources'
import type { StagedFile } from '../../server/services/files/files'
import { bodyLimit, bodyTooLarge, nulProblem } from './body.server'

export interface UploadForm {
  /** Of a field that was sent twice, the last value. */
  fields: Record<string, string>
  /** Null where none was sent. */
  file: StagedFile | null
}

const limits = { fieldSize: bodyLimit, fields: 60, files: 2, parts: 64, headerPairs: 20 }
const longestFieldName = 100
/** Without a byte for so long, the sender is gone. Milliseconds. */
const idleMs = 60_000

export function isMultipart(request: Request): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}

/**
 * Reads a form in parts, sent by a person who is signed in, with at most one file, which goes to `receiver` piece by
 * piece, and does `work`. An upload that the work did not keep is gone afterwards. Throws invalid_input and too_large,
 * and what receiver and work throw.
 */
export async function withUpload<Result>(
  { app, allowSlowBody }: Pick<AppLoadContext, 'app' | 'allowSlowBody'>,
  request: Request,
  receiver: () => Promise<Receiver>,
  work: (form: UploadForm) => Promise<Result>,
): Promise<Result> {
  allowSlowBody()
  const receive = await receiver()
  // What is no file has its own, far smaller limit.
  app.files.assertSize(Number(request.headers.get('content-length')) - bodyLimit)
  const form = await readParts(request, receive)
  try {
    return await work(form)
  } finally {
    if (form.file) await app.files.discard(form.file)
  }
}

/** Whatever goes wrong, the file is gone when this rejects; the rest of the body is left unread. */
async function readParts(request: Request, receive: Receiver): Promise<UploadForm> {
  const fields = new Map<string, string>()
  const taken: { stream: Readable; staged: Promise<StagedFile | null> }[] = []
  const parser = parserOf(request)
  const { fail, orFailure } = createFailure()
  let length = 0
  parser
    .on('field', (name: string | undefined, value, _isNameCut, isCut) => {
      length += value.length
      if (isCut || length > bodyLimit) return fail(bodyTooLarge())
      const problem = nameProblem(name) ?? nulProblem(name ?? '', value)
      if (problem) fail(problem)
      else fields.set(name ?? '', value)
    })
    .on('file', (field: string | undefined, stream, name: string | undefined) => {
      // A part that breaks off only says so; who reads it has to be told.
      stream.on('error', (error) => stream.destroy(error))
      const problem = nameProblem(field) ?? fileProblem(field, taken.length)
      if (problem) return fail(problem)
      const staged = take(stream, name ?? '', receive)
      taken.push({ stream, staged })
      staged.catch(fail)
    })
    .on('fieldsLimit', () => fail(brokenForm('The form has too many fields.')))
    .on('partsLimit', () => fail(brokenForm('The form has too many parts.')))
    .on('error', (error) => fail(brokenForm(undefined, error)))
  const files = () => Promise.all(taken.map(({ staged }) => staged))
  try {
    await pump(request, parser, orFailure)
    const [file = null] = await orFailure(files())
    return { fields: Object.fromEntries(fields), file }
  } catch (error) {
    for (const { stream } of taken) stream.destroy(error instanceof Error ? error : undefined)
    await Promise.allSettled(taken.map(({ staged }) => staged))
    throw error
  }
}

type OrFailure = <Value>(work: Promise<Value>) => Promise<Value>

/**
 * What is waited for ends with the first failure. A race with one promise of the whole upload would keep every piece of
 * it in memory until the end.
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

/** Ends when the body has ended and all of it is parsed. */
async function pump(request: Request, parser: BusboyInstance, orFailure: OrFailure): Promise<void> {
  const reader = request.body?.getReader()
  const finished = once(parser, 'finish')
  finished.catch(() => {})
  const idle = setTimeout(() => void reader?.cancel().catch(() => {}), idleMs)
  try {
    for (;;) {
      const next = reader && (await orFailure(reader.read().catch(brokeOff)))
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

function brokeOff(cause: unknown): never {
  throw new AppError('invalid_input', 'The upload broke off before its end.', { cause })
}

function parserOf(request: Request): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': request.headers.get('content-type') ?? '' }, limits })
  } catch (cause) {
    throw brokenForm(undefined, cause)
  }
}

/** Null where a form was sent without choosing a file: browsers send an empty part without a name. */
async function take(stream: Readable, name: string, receive: Receiver): Promise<StagedFile | null> {
  if (fileNameOf(name) !== '') return receive(name, stream)
  // A file without a name is refused in the receiver's words.
  for await (const piece of stream) if (piece.length > 0) return receive(name, stream)
  return null
}

function nameProblem(name: string | undefined): AppError | null {
  if (!name) return brokenForm('A part of the form has no name.')
  if (name.length <= longestFieldName) return null
  return wrongField(name.slice(0, 40), 'The name of this field is too long.')
}

function fileProblem(field = '', before: number): AppError | null {
  if (field !== 'file') return wrongField(field, 'A file is sent in the field file.')
  return before > 0 ? wrongField('file', 'Send one file at a time.') : null
}

function wrongField(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { details: { fields: { [field]: [message] } } })
}

function brokenForm(message = 'The form cannot be read.', cause?: unknown): AppError {
  return new AppError('invalid_input', message, { cause })
}
