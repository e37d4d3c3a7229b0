import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node'
import type { OrganizationRole } from '../../contract/enumerations'
import type { CurrentUserView, OrganizationView } from '../../contract/organization'
import type { Actor } from '../../server/actor'
import type { App } from '../../server/app'
import { isAppError, statusOf } from '../../server/errors'
import { page } from './page.server'
import { sessionOf } from './session.server'

/** What a page of the dashboard needs to ask its services. */
export interface Visit {
  app: App
  actor: Actor
  user: CurrentUserView
  organization: OrganizationView
  organizationId: string
  role: OrganizationRole
  url: URL
  context: AppLoadContext
}

/** Something that a page needs and did not get, named by the contract. The cause is only logged. */
class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
}

const later = "Looks like we're having some issues, try again later."

/** The contract's texts of what could not be fetched. */
export const unfetched = {
  user: `Failed to fetch current user. ${later}`,
  organization: `Failed to fetch organization. ${later}`,
  usage: `Failed to fetch organization usage. ${later}`,
  collections: 'Failed to fetch collections.',
  sources: 'Failed to fetch sources.',
  urls: 'Failed to fetch urls.',
  agents: 'Failed to fetch agents.',
  search: 'Failed to process search request.',
} as const

/**
 * Lets a signed-in person in and does the page's work. What the services refuse becomes an error page with their words,
 * what could not be fetched one with the contract's; anything else stays unexpected and is logged.
 */
export async function visit<Result>(
  { context, request }: LoaderFunctionArgs | ActionFunctionArgs,
  work: (visit: Visit) => Promise<Result>,
): Promise<Result> {
  try {
    const { actor, user, organization } = await entering(context, request, page(context, request))
    const membership = user.org_connections.find((one) => one.organization_id === organization.id)
    return await work({
      app: context.app,
      actor,
      user,
      organization,
      organizationId: organization.id,
      role: membership?.role ?? 'viewer',
      url: new URL(request.url),
      context,
    })
  } catch (error) {
    throw shown(error, context)
  }
}

/** Names what was to be fetched, should that fail without words for people. */
export async function fetching<Result>(failed: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isAppError(error) || error instanceof Response) throw error
    throw new FetchFailed(failed, { cause: error })
  }
}

/** Says which of the two failed on the way in: the person or their organization. */
export async function entering<Result>(
  context: AppLoadContext,
  request: Request,
  entered: Promise<Result>,
): Promise<Result> {
  try {
    return await entered
  } catch (error) {
    if (isAppError(error) || error instanceof Response) throw error
    const known = await sessionOf(context, request).then(
      () => true,
      () => false,
    )
    throw new FetchFailed(known ? unfetched.organization : unfetched.user, { cause: error })
  }
}

/** The same error, made so that its words reach the page. */
export function shown(error: unknown, { app, requestId }: Pick<AppLoadContext, 'app' | 'requestId'>): unknown {
  if (error instanceof FetchFailed) {
    app.log.error({ err: error, requestId }, 'A page failed')
    const message = 'Please try again later. Contact support if issue persists.'
    return data({ title: error.message, message }, { status: 500 })
  }
  if (!isAppError(error)) return error
  return data({ title: error.details.title, message: error.message }, { status: statusOf[error.code] })
}

/** A part of the path. Only a route that is wired wrongly has none. */
export function required(value: string | undefined): string {
  if (!value) throw new Error('This route needs an id in its path')
  return value
}
