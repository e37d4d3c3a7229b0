import type { SubmissionResult } from '@conform-to/react'
import { data } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import type { StagedFile } from '../../../server/services/files/files'
import { readForm } from '../body.server'
import type { DashboardCall } from '../session/dashboard.server'
import { StalePageError, takeShown } from '../session/shown-organization.server'
import { isMultipart, withUpload } from '../uploads/upload.server'
import { formNotifications } from './form.server'

/**
 * Reads a form of a collection's page, with the file that it uploads if there is no script. A rejected upload is
 * returned as errors of the form. Throws a StalePageError for a form of another organization than the selected one.
 */
export async function withSourceForm<Result>(
  { services, actor, organizationId, url, context }: DashboardCall,
  request: Request,
  collectionId: string,
  work: (form: FormData, file: StagedFile | null) => Promise<Result>,
) {
  const checked = (form: FormData, file: StagedFile | null) => {
    takeShown(form, organizationId)
    return work(form, file)
  }
  if (!isMultipart(request)) return checked(await readForm(request), null)
  // The address names the source, because the upload starts before the fields have been read.
  const replaced = url.searchParams.get('dialog') === 'edit-source' ? url.searchParams.get('id') : null
  const target = { organizationId, collectionId, ...(replaced === null ? {} : { sourceId: replaced }) }
  const receiver = () => services.fileSources.receiver(actor, target)
  try {
    return await withUpload(context, request, receiver, async ({ fields, file }) => checked(formOf(fields), file))
  } catch (error) {
    if (!isAppError(error) || error instanceof StalePageError) throw error
    const result: SubmissionResult<string[]> = {
      status: 'error',
      initialValue: { type: 'file' },
      error: error.details.fields ?? { '': [error.message] },
    }
    const failed = replaced ? 'Failed to edit source' : 'Failed to add source'
    return data({ result, notifications: formNotifications(error, failed, context) }, { status: 400 })
  }
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
