import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { anonymousLimit, readForm } from '../../http/body.server'
import { rememberSidebar } from '../../http/cookies/sidebar.server'
import { toErrorData } from '../../http/session/dashboard.server'
import { returnAddress } from '../../http/session/return-address.server'
import { paths } from '../../paths'

/** Remembers whether the sidebar is collapsed and returns to the page on which it was toggled. */
export async function action({ context, request }: ActionFunctionArgs) {
  try {
    const form = await readForm(request, anonymousLimit())
    const headers = { 'Set-Cookie': await rememberSidebar(context, form.get('sidebar')) }
    return redirect(returnAddress(form.get('back'), paths.dashboard()), { status: 303, headers })
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export function loader() {
  return redirect(paths.dashboard())
}
