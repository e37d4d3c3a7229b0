import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import { statusOf } from '../../../contract/values/error-codes'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import type { Actor } from '../../../server/actor'
import { AppError, isAppError } from '../../../server/errors'
import { readForm } from '../body.server'
import { page } from './page.server'
import { sessionOf } from './session.server'
import { takeShown } from './shown-organization.server'

/** What a loader or an action of the dashboard works with: the services and who asks them. */
export interface DashboardCall {
  services: AppLoadContext['services']
  actor: Actor
  user: CurrentUserView
  organization: OrganizationView
  organizationId: string
  role: OrganizationRole
  url: URL
  context: AppLoadContext
}

/** Data of a page that could not be loaded. The message is the contract's; the cause is only logged. */
class LoadError extends Error {
  override readonly name = 'LoadError'
}

const tryLater = "Looks like we're having some issues, try again later."

/** The contract's texts for data that could not be loaded. */
export const loadErrors = {
  user: `Failed to fetch current user. ${tryLater}`,
  organization: `Failed to fetch organization. ${tryLater}`,
  usage: `Failed to fetch organization usage. ${tryLater}`,
  collections: 'Failed to fetch collections.',
  sources: 'Failed to fetch sources.',
  urls: 'Failed to fetch urls.',
  agents: 'Failed to fetch agents.',
  search: 'Failed to process search request.',
} as const

/**
 * Runs the loader of a dashboard page for a signed-in person. Throws a redirect for anybody else. An AppError becomes an
 * error page with its message, a LoadError one with the contract's text; every other error is rethrown.
 */
export function dashboardLoader<Result>(
  args: LoaderFunctionArgs,
  load: (call: DashboardCall) => Promise<Result>,
): Promise<Result> {
  return inDashboard(args, async (call) => {
    try {
      return await load(call)
    } catch (error) {
      if (!isAppError(error) || error.code !== 'forbidden') throw error
      throw new AppError('forbidden', error.message.replace(/ for this\.$/, ' for this page.'), { cause: error })
    }
  })
}

/**
 * Runs the action of a dashboard page with its form, under the same rules as `dashboardLoader`. Refuses a form of another
 * organization than the selected one (see `assertShown`).
 */
export function dashboardAction<Result>(
  args: ActionFunctionArgs,
  act: (call: DashboardCall, form: FormData) => Promise<Result>,
): Promise<Result> {
  return inDashboard(args, async (call) => {
    const form = await readForm(args.request)
    takeShown(form, call.organizationId)
    return act(call, form)
  })
}

/**
 * Runs an action that reads its request itself. It must call `takeShown`, unless it changes the person's own account
 * alone, whichever organization is selected.
 */
export function unreadAction<Result>(
  args: ActionFunctionArgs,
  act: (call: DashboardCall) => Promise<Result>,
): Promise<Result> {
  return inDashboard(args, act)
}

async function inDashboard<Result>(
  { context, request }: LoaderFunctionArgs | ActionFunctionArgs,
  work: (call: DashboardCall) => Promise<Result>,
): Promise<Result> {
  try {
    const { actor, user, organization } = await orSessionMessage(context, request, page(context, request))
    const membership = user.org_connections.find((membership) => membership.organization_id === organization.id)
    return await work({
      services: context.services,
      actor,
      user,
      organization,
      organizationId: organization.id,
      role: membership?.role ?? 'viewer',
      url: new URL(request.url),
      context,
    })
  } catch (error) {
    throw toErrorData(error, context)
  }
}

/** Awaits `data`; an unexpected failure is thrown as a LoadError with `message`. */
export async function orMessage<Result>(data: Promise<Result>, message: string): Promise<Result> {
  try {
    return await data
  } catch (error) {
    if (isAppError(error) || error instanceof Response) throw error
    throw new LoadError(message, { cause: error })
  }
}

/** Awaits `entry`; an unexpected failure is thrown as a LoadError that names the user or the organization. */
export async function orSessionMessage<Result>(
  context: AppLoadContext,
  request: Request,
  entry: Promise<Result>,
): Promise<Result> {
  try {
    return await entry
  } catch (error) {
    if (isAppError(error) || error instanceof Response) throw error
    const hasUser = await sessionOf(context, request).then(
      () => true,
      () => false,
    )
    throw new LoadError(hasUser ? loadErrors.organization : loadErrors.user, { cause: error })
  }
}

/** Converts an AppError or a LoadError into error data with the message to show. Returns any other error unchanged. */
export function toErrorData(error: unknown, { report }: Pick<AppLoadContext, 'report'>): unknown {
  if (error instanceof LoadError) {
    report(error, 'A page failed')
    const message = 'Please try again later. Contact support if issue persists.'
    return data({ title: error.message, message }, { status: 500 })
  }
  if (!isAppError(error)) return error
  const { title, retryAfterSeconds } = error.details
  const headers = retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) }
  return data({ title, message: error.message }, { status: statusOf[error.code], headers })
}

/** A parameter of the route. Throws where the route does not declare it. */
export function requireParam(value: string | undefined): string {
  if (!value) throw new Error('The route has no such parameter')
  return value
}
