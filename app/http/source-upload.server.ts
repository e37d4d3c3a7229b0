import type { AppLoadContext } from '@remix-run/node'
import { fileReplacementSchema, fileSourceSchema } from '../../contract/file-source'
import { sourceEditSchema, sourceSchema } from '../../contract/source'
import type { SourceView } from '../../contract/views/source'
import type { Actor } from '../../server/actor'
import { AppError } from '../../server/errors'
import type { StagedFile } from '../../server/services/files/files'
import { parse } from './api.server'
import { readBody } from './body.server'
import { isMultipart, withUpload } from './upload.server'

type Context = Pick<AppLoadContext, 'app' | 'allowSlowBody'>
type Place = readonly [actor: Actor, organizationId: string, collectionId: string]

/** Makes a source of a request: of its file, streamed to the disk, or of the address in its form or JSON. */
export async function addSource(context: Context, request: Request, place: Place): Promise<SourceView> {
  const { sources, fileSources } = context.app
  if (!isMultipart(request)) return sources.create(...place, parse(sourceSchema, await readBody(request, true)))
  return withUpload(
    context,
    request,
    () => fileSources.receiver(...place),
    ({ fields, file }) => {
      if (!file && fields.type !== 'file') return sources.create(...place, parse(sourceSchema, fields))
      return fileSources.create(...place, parse(fileSourceSchema, fields), chosen(file))
    },
  )
}

/** Edits a source by a request: puts its file in the place of the one before, or changes name and options. */
export async function changeSource(context: Context, request: Request, place: Place, id: string): Promise<SourceView> {
  const { sources, fileSources } = context.app
  if (!isMultipart(request)) return sources.edit(...place, id, parse(sourceEditSchema, await readBody(request, true)))
  return withUpload(
    context,
    request,
    () => fileSources.receiver(...place, id),
    ({ fields, file }) =>
      file
        ? fileSources.replace(...place, id, parse(fileReplacementSchema, fields), file)
        : sources.edit(...place, id, parse(sourceEditSchema, fields)),
  )
}

/** Throws invalid_input where no file was chosen. */
export function chosen(file: StagedFile | null): StagedFile {
  if (file) return file
  const message = 'Choose a file.'
  throw new AppError('invalid_input', message, { details: { fields: { file: [message] } } })
}
