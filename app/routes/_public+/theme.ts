import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { rememberTheme } from '../../http/theme.server'
import { paths } from '../../paths'

/** Remembers the choice and goes back to where it was made; only ever to a page of this site. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData()
  const back = form.get('back')
  const to = typeof back === 'string' && /^\/(?![/\\])/.test(back) ? back : paths.landing()
  return redirect(to, { status: 303, headers: { 'Set-Cookie': await rememberTheme(context, form.get('theme')) } })
}

export function loader() {
  return redirect(paths.landing())
}
