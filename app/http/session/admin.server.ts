import { type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import {
  type AdminFilter,
  type AdminListName,
  type AdminQuery,
  adminFilters,
  adminOrders,
} from '../../../contract/admin'
import { defaultPageSizes } from '../../../contract/values/limits'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import type { Actor } from '../../../server/actor'
import { isAppError } from '../../../server/errors'
import { withQuery } from '../../components/ui/browser/query'
import { pagingOf, sortOf } from '../../components/ui/tables/paging'
import { paths } from '../../paths'
import { orSessionMessage, requireParam, toErrorData } from './dashboard.server'
import { page } from './page.server'
import { redirectIfMissing } from './redirect-if-missing.server'

/** What a loader of the back office works with. */
export interface AdminCall {
  services: AppLoadContext['services']
  actor: Actor
  user: CurrentUserView
  context: AppLoadContext
}

/**
 * Runs the loader of a page of the back office for a platform administrator. Throws a redirect for anybody else. Errors
 * become an error page with their message: its readers run the server.
 */
export async function adminLoader<Result>(
  { context, request }: LoaderFunctionArgs,
  load: (call: AdminCall) => Promise<Result>,
): Promise<Result> {
  try {
    const { actor, user } = await orSessionMessage(context, request, page(context, request))
    return await load({ services: context.services, actor, user, context })
  } catch (error) {
    if (error instanceof Response || isAppError(error) || !(error instanceof Error)) throw toErrorData(error, context)
    context.report(error, 'A page of the back office failed')
    throw data({ message: error.message }, { status: 500 })
  }
}

/**
 * Loads one page of a list, as the query of the request sorts and filters it. Ignores what the list does not know, and goes
 * to the last page instead of one beyond it.
 */
export function adminList<Name extends AdminListName>(args: LoaderFunctionArgs, name: Name) {
  return adminLoader(args, async ({ services, actor }) => {
    const paging = pagingOf(args.request, defaultPageSizes.admin)
    const sort = sortOf<string>(args.request, adminOrders[name]) ?? { field: 'created_at', descending: true }
    const filter = filterOf(name, new URL(args.request.url).searchParams)
    const query = { order: [[sort.field, sort.descending ? 'desc' : 'asc']], where: filter } as AdminQuery<Name>
    const list = await services.admin.list(actor, name, { ...query, ...paging })
    // Rows may have gone since the link was made.
    if (list.pages > 0 && paging.page > list.pages) throw redirect(pageAt(args.request, list.pages), 303)
    return { list, paging, sort, filter }
  })
}

/** Loads a single record. If it is missing, redirects to its list; a collection to the users, as the contract says. */
export function adminDetail<Result>(
  args: LoaderFunctionArgs,
  kind: 'agent' | 'collection' | 'organization' | 'source' | 'thread' | 'URL' | 'user',
  load: (call: AdminCall, id: string) => Promise<Result>,
): Promise<Result> {
  const list = { URL: 'urls', collection: 'users' }[kind as string] ?? `${kind}s`
  return adminLoader(args, (call) =>
    redirectIfMissing(
      call.context,
      paths.adminList(list as AdminListName),
      kind,
      load(call, requireParam(args.params.id)),
    ),
  )
}

function pageAt(request: Request, page: number): string {
  const { pathname, searchParams } = new URL(request.url)
  return pathname + withQuery(searchParams, { page: String(page) })
}

function filterOf(name: AdminListName, search: URLSearchParams): Partial<Record<AdminFilter, string>> {
  const filters: readonly AdminFilter[] = adminFilters[name]
  return Object.fromEntries(filters.flatMap((filter) => (search.get(filter) ? [[filter, search.get(filter)]] : [])))
}
