import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { notification } from '../../components/notifications/notification'
import { readForm } from '../../http/api/body.server'
import { redirectWith } from '../../http/cookies/notifications.server'
import { dashboardAction } from '../../http/session/dashboard.server'
import { paths } from '../../paths'

/** Selects another of the person's organizations. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async ({ context }) => {
    const form = await readForm(args.request)
    try {
      await context.identity.selectOrganization(args.request, String(form.get('organizationId') ?? ''))
    } catch (error) {
      if (!isAppError(error)) throw error
      return redirectWith(context, paths.dashboard(), notification('danger', error.message))
    }
    return redirect(paths.dashboard(), 303)
  })
}

export function loader() {
  return redirect(paths.dashboard())
}
