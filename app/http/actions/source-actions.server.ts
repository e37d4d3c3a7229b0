import { fileReplacementSchema, fileSourceSchema } from '../../../contract/sources/file-source'
import { sourceEditSchema, sourceSchema } from '../../../contract/sources/source'
import { largerPlanCommand } from '../../../contract/texts/larger-plan'
import { type AppError, isAppError } from '../../../server/errors'
import type { StagedFile } from '../../../server/services/files/files'
import { type Notification, notification, toast } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'
import { failureNotifications, submitForm } from '../forms/form.server'
import { redirectWithError } from '../forms/redirect-with-error.server'
import type { DashboardCall } from '../session/dashboard.server'
import { currentPage } from '../session/return-address.server'
import { requireFile } from '../uploads/source-upload.server'

/** Never sent back to the form. */
const secrets = ['password']

/** Handles the actions and dialogs of sources on a collection's page. Null for an intent of another kind. */
export function handleSourceAction(
  call: DashboardCall,
  form: FormData,
  collectionId: string,
  file: StagedFile | null = null,
) {
  const { services, actor, organizationId, url, context } = call
  const id = String(form.get('id') ?? '')
  const back = currentPage(url)
  switch (form.get('intent')) {
    case 'add-source':
      if (form.get('type') === 'file') {
        return submitForm(context, fileFields(form), fileSourceSchema, 'Failed to add source', async (input) => {
          await services.fileSources.create(actor, { organizationId, collectionId }, input, requireFile(file))
          return redirectWith(context, back, toast('success', 'Source added successfully'))
        })
      }
      return submitForm(
        context,
        form,
        sourceSchema,
        'Failed to add source',
        async (input) => {
          await services.sources.create(actor, { organizationId, collectionId }, input)
          return redirectWith(context, back, toast('success', 'Source added successfully'))
        },
        secrets,
      )
    case 'edit-source':
      if (file) {
        return submitForm(context, fileFields(form), fileReplacementSchema, 'Failed to edit source', async (input) => {
          await services.fileSources.replace(actor, { organizationId, collectionId, sourceId: id }, input, file)
          return redirectWith(context, back, toast('success', 'Source edited successfully'))
        })
      }
      return submitForm(
        context,
        form,
        sourceEditSchema,
        'Failed to edit source',
        async (input) => {
          await services.sources.edit(actor, { organizationId, collectionId, sourceId: id }, input)
          return redirectWith(context, back, toast('success', 'Source edited successfully'))
        },
        secrets,
      )
    case 'delete-source':
      return redirectWithError('Failed to delete source', call, async () => {
        await services.sources.remove(actor, { organizationId, collectionId, sourceId: id })
        return redirectWith(context, back, toast('success', 'Source deleted successfully'))
      })
    case 'cancel-source':
      return redirectWithError('Failed to cancel', call, async () => {
        await services.runControl.cancel(actor, { organizationId, collectionId, sourceId: id })
        return redirectWith(context, back)
      })
    case 'pause-source':
      return redirectWithError('Failed to pause', call, async () => {
        await services.runControl.pause(actor, { organizationId, collectionId, sourceId: id })
        return redirectWith(context, back)
      })
    case 'resume-source':
      return redirectWithError('Failed to resume', call, async () => {
        await services.runControl.resume(actor, { organizationId, collectionId, sourceId: id })
        return redirectWith(context, back)
      })
    case 'refresh-source':
      return refreshAndRedirect(call, back, () =>
        // The page shows the progress, so it does not wait for the discovery of addresses.
        services.runControl.refresh(
          actor,
          { organizationId, collectionId, sourceId: id },
          { crawl: true, auto: false },
          { waitMs: 0 },
        ),
      )
    default:
      return null
  }
}

/** Keeps the fields of a file source: without a script, the form sends those of all types. */
function fileFields(form: FormData): FormData {
  const fields = new FormData()
  for (const name of ['type', 'name']) {
    const value = form.get(name)
    if (value !== null) fields.set(name, value)
  }
  return fields
}

async function refreshAndRedirect(
  call: DashboardCall,
  back: string,
  refresh: () => Promise<{ crawlLimit: boolean }>,
): Promise<Response> {
  const { context } = call
  try {
    const { crawlLimit } = await refresh()
    if (!crawlLimit) return redirectWith(context, back)
    return redirectWith(context, back, crawlLimitReached(call))
  } catch (error) {
    if (!isAppError(error)) {
      return redirectWith(context, back, ...failureNotifications(error, 'Failed to process source', context))
    }
    return redirectWith(context, back, refreshNotification(error))
  }
}

/** The contract's text, and for the operator how to go on. */
function crawlLimitReached({ actor, organizationId }: DashboardCall): Notification {
  const isOperator = actor.kind === 'person' && actor.staff
  const remedy = isOperator ? ` To continue, assign a larger plan with: ${largerPlanCommand(organizationId)}` : ''
  return notification('warning', 'Crawl limit reached', `You can no longer crawl any more urls.${remedy}`)
}

/** The contract's texts for a refresh that was not started. */
export function refreshNotification(error: Pick<AppError, 'code' | 'message'>): Notification {
  switch (error.code) {
    case 'still_working':
      return notification(
        'info',
        'Your source is taking a long time to process',
        'It is still working in the background.',
      )
    case 'conflict':
      return notification('warning', 'Failed to refresh source', error.message)
    case 'quota_exceeded':
      return notification('warning', 'Crawl limit reached', 'You can no longer crawl any more urls.')
    default:
      return notification('danger', 'Failed to process source', error.message)
  }
}
