import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { paths } from '../../paths'

/** The manual opens at its first page. */
export function loader({ context }: LoaderFunctionArgs) {
  const [first] = context.app.manual.list()
  return redirect(first ? paths.help(first.name) : paths.landing())
}
