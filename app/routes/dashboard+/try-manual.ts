import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { isAppError } from '../../../server/errors'
import { failureNotifications } from '../../http/form.server'
import { redirectWith } from '../../http/notify.server'
import { visit } from '../../http/visit.server'
import { paths } from '../../paths'

/** Makes a collection of the manual with an agent and opens its search page. */
export function action(args: ActionFunctionArgs) {
  return visit(args, async ({ app, actor, organizationId }) => {
    try {
      const { agentId } = await app.manual.tryIt(actor, organizationId)
      return redirect(paths.agentSearch(agentId), 303)
    } catch (error) {
      if (!isAppError(error)) throw error
      return redirectWith(paths.dashboard(), ...failureNotifications(error, 'Something went wrong'))
    }
  })
}

export function loader() {
  return redirect(paths.dashboard())
}
