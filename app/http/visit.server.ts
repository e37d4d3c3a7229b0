import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import type { OrganizationRole } from '../../contract/enumerations'
import type { CurrentUserView, OrganizationView } from '../../contract/organization'
import type { Actor } from '../../server/actor'
import type { App } from '../../server/app'
import { isAppError, statusOf } from '../../server/errors'
import { page } from './page.server'

/** What a page of the dashboard needs to ask its services. */
export interface Visit {
  app: App
  actor: Actor
  user: CurrentUserView
  organization: OrganizationView
  organizationId: string
  role: OrganizationRole
  url: URL
}

/**
 * Lets a signed-in person in and does the page's work. What the services refuse becomes an error page with their words;
 * anything unexpected stays unexpected and is logged.
 */
export async function visit<Result>(
  { context, request }: LoaderFunctionArgs | ActionFunctionArgs,
  work: (visit: Visit) => Promise<Result>,
): Promise<Result> {
  const { actor, user, organization } = await page(context, request)
  const membership = user.org_connections.find((one) => one.organization_id === organization.id)
  try {
    return await work({
      app: context.app,
      actor,
      user,
      organization,
      organizationId: organization.id,
      role: membership?.role ?? 'viewer',
      url: new URL(request.url),
    })
  } catch (error) {
    throw shown(error)
  }
}

/** The same error, made so that its words reach the page. */
export function shown(error: unknown): unknown {
  if (!isAppError(error)) return error
  return data({ title: error.details.title, message: error.message }, { status: statusOf[error.code] })
}

/** A part of the path. Only a route that is wired wrongly has none. */
export function required(value: string | undefined): string {
  if (!value) throw new Error('This route needs an id in its path')
  return value
}
