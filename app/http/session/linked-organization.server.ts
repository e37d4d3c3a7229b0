import type { AppLoadContext } from '@remix-run/node'
import type { LinkedKind } from '../../../server/services/organizations/containing-organization'
import { toast } from '../../components/notifications/notification'
import { redirectWith } from '../cookies/notifications.server'
import type { Session } from './session.server'
import { isDocument } from './sign-in-redirect.server'

const linkedPath = /^\/dashboard\/(collection|agent|threads)\/([^/]+)/
const kinds: Record<string, LinkedKind> = { collection: 'collection', agent: 'agent', threads: 'thread' }

/**
 * Selects the organization of what a link leads to, if it is another one of the person's, and throws a redirect to the
 * link. Only for links that a person opens: a page in the background must not change what another one shows.
 */
export async function selectLinkedOrganization(
  context: AppLoadContext,
  request: Request,
  { actor, user, organizationId }: Session,
): Promise<void> {
  const { pathname, search } = new URL(request.url)
  const [, section = '', id = ''] = linkedPath.exec(pathname) ?? []
  const kind = kinds[section]
  if (!kind || !isDocument(request) || user.org_connections.length < 2) return
  const found = await context.services.containingOrganization(actor, kind, id)
  if (found === null || found === organizationId) return
  await context.identity.selectOrganization(request, found)
  const name = user.org_connections.find(({ organization_id }) => organization_id === found)?.organization.name
  throw await redirectWith(context, pathname + search, toast('info', `Switched to ${name}`))
}
