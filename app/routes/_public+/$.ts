import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { AppError } from '../../../server/errors'
import { problem } from '../../http/api/problem.server'
import { paths } from '../../paths'

// Unknown paths. Without a component, so that programs get their response unchanged.

/** Leads browsers to the landing page, and responds 404 to programs. /v1 and assets respond 404 themselves. */
export function loader({ context, request }: LoaderFunctionArgs) {
  return asksForJson(request) ? missing(context) : redirect(paths.landing())
}

export function action({ context, request }: ActionFunctionArgs) {
  return asksForJson(request) ? missing(context) : redirect(paths.landing(), 303)
}

function missing(context: LoaderFunctionArgs['context']): Response {
  return problem(new AppError('not_found', 'There is nothing at this address.'), context)
}

function asksForJson(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}
