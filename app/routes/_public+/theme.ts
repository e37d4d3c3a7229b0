import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { anonymousLimit, readForm } from '../../http/body.server'
import { rememberTheme } from '../../http/cookies/theme.server'
import { toErrorData } from '../../http/session/dashboard.server'
import { returnAddress } from '../../http/session/return-address.server'
import { paths } from '../../paths'

/** Remembers the chosen theme and returns to the page on which it was chosen. */
export async function action({ context, request }: ActionFunctionArgs) {
  try {
    const form = await readForm(request, anonymousLimit())
    const headers = { 'Set-Cookie': await rememberTheme(context, form.get('theme')) }
    return redirect(returnAddress(form.get('back'), paths.landing()), { status: 303, headers })
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export function loader() {
  return redirect(paths.landing())
}
