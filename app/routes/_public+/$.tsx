import { redirect } from '@remix-run/node'
import { paths } from '../../paths'

/** Redirects unknown paths to the landing page. /v1 and assets respond 404 themselves. */
export function loader() {
  return redirect(paths.landing())
}

export function action() {
  return redirect(paths.landing(), 303)
}

export default function Unknown() {
  return null
}
