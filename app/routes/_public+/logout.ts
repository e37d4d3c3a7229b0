import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { fullPageRedirect } from '../../http/session/full-page-redirect.server'
import { paths } from '../../paths'

/** Ends the session here and at the identity provider, which redirects back to the site. */
export async function action({ context, request }: ActionFunctionArgs) {
  return fullPageRedirect(await context.identity.logout(request))
}

/** A link must not be able to log a person out. */
export function loader() {
  return redirect(paths.landing())
}
