import type { AppLoadContext } from '@remix-run/node'
import { fileReplacementSchema, fileSourceSchema } from '../../../contract/sources/file-source'
import { type SourceInput, sourceEditSchema, sourceSchema } from '../../../contract/sources/source'
import type { SourceView } from '../../../contract/views/source'
import type { Actor } from '../../../server/actor'
import { AppError } from '../../../server/errors'
import type { CollectionRef } from '../../../server/services/collections/collections'
import type { StagedFile } from '../../../server/services/files/files'
import type { SourceRef } from '../../../server/services/source-rows/find-source'
import { parse } from '../api/parse.server'
import { readBody } from '../body.server'
import { isMultipart, withUpload } from './upload.server'

type Context = Pick<AppLoadContext, 'services' | 'allowSlowBody'>

/** Creates a source from a request: from its file, streamed to disk, or from the address in its form or JSON. */
export async function addSource(
  context: Context,
  request: Request,
  actor: Actor,
  ref: CollectionRef,
): Promise<SourceView> {
  const { sources, fileSources } = context.services
  const create = (input: SourceInput) => sources.create(actor, ref, input)
  if (!isMultipart(request)) return create(parse(sourceSchema, await readBody(request, { form: true })))
  return withUpload(
    context,
    request,
    () => fileSources.receiver(actor, ref),
    ({ fields, file }) => {
      if (!file && fields.type !== 'file') return create(parse(sourceSchema, fields))
      return fileSources.create(actor, ref, parse(fileSourceSchema, fields), requireFile(file))
    },
  )
}

/** Edits a source from a request: replaces its file, or changes its name and options. */
export async function editSource(
  context: Context,
  request: Request,
  actor: Actor,
  ref: SourceRef,
): Promise<SourceView> {
  const { sources, fileSources } = context.services
  if (!isMultipart(request))
    return sources.edit(actor, ref, parse(sourceEditSchema, await readBody(request, { form: true })))
  return withUpload(
    context,
    request,
    () => fileSources.receiver(actor, ref),
    ({ fields, file }) =>
      file
        ? fileSources.replace(actor, ref, parse(fileReplacementSchema, fields), file)
        : sources.edit(actor, ref, parse(sourceEditSchema, fields)),
  )
}

/** Throws invalid_input if no file was uploaded. */
export function requireFile(file: StagedFile | null): StagedFile {
  if (file) return file
  const message = 'Choose a file.'
  throw new AppError('invalid_input', message, { details: { fields: { file: [message] } } })
}
