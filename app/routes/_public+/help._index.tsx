import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { paths } from '../../paths'

/** Opens the first page of the manual. */
export function loader({ context }: LoaderFunctionArgs) {
  const [first] = context.services.manual.list()
  return redirect(first ? paths.help(first.name) : paths.landing())
}
