import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { notification } from '../../components/notifications/notification'
import { readForm } from '../../http/body.server'
import { redirectWith } from '../../http/cookies/notifications.server'
import { toErrorData } from '../../http/session/dashboard.server'
import { sessionOf } from '../../http/session/session.server'
import { paths } from '../../paths'

/**
 * Selects another of the person's organizations. Without the guard of the pages, which would redirect away from an
 * organization that waits for its onboarding.
 */
export async function action({ context, request }: ActionFunctionArgs) {
  try {
    if (!(await sessionOf(context, request))) return redirect(paths.landing(), 303)
    const form = await readForm(request)
    await context.identity.selectOrganization(request, String(form.get('organizationId') ?? ''))
    return redirect(paths.dashboard(), 303)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'forbidden') throw toErrorData(error, context)
    return redirectWith(context, paths.dashboard(), notification('danger', error.message))
  }
}

export function loader() {
  return redirect(paths.dashboard())
}
