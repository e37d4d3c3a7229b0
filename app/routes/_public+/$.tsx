import { redirect } from '@remix-run/node'
import { paths } from '../../paths'

/** An unknown page leads to the landing page; /v1 and assets have their own answers. */
export function loader() {
  return redirect(paths.landing())
}

export function action() {
  return redirect(paths.landing(), 303)
}

export default function Unknown() {
  return null
}
