import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { redirectWith } from '../../http/cookies/notifications.server'
import { failureNotifications } from '../../http/forms/form.server'
import { dashboardAction } from '../../http/session/dashboard.server'
import { paths } from '../../paths'

/** Creates a collection of the manual with an agent, and opens the agent's search page. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async ({ services, actor, organizationId, context }) => {
    try {
      const { agentId } = await services.manual.ensureDemo(actor, organizationId)
      return redirect(paths.agentSearch(agentId), 303)
    } catch (error) {
      return redirectWith(context, paths.dashboard(), ...failureNotifications(error, 'Something went wrong', context))
    }
  })
}

export function loader() {
  return redirect(paths.dashboard())
}
