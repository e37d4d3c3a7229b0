import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { notification } from '../../components/notifications/notification'
import { redirectWith } from '../../http/notify.server'
import { page } from '../../http/page.server'
import { paths } from '../../paths'

/** Acts in another of the person's organizations from here on. */
export async function action({ context, request }: ActionFunctionArgs) {
  await page(context, request)
  const id = String((await request.clone().formData()).get('organizationId') ?? '')
  try {
    await context.app.identity.selectOrganization(request, id)
  } catch (error) {
    if (!isAppError(error)) throw error
    return redirectWith(context, paths.dashboard(), notification('danger', error.message))
  }
  return redirect(paths.dashboard(), 303)
}

export function loader() {
  return redirect(paths.dashboard())
}
