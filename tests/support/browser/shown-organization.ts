import { shownOrganizationField } from '../../../app/components/ui/forms/organization-form'
import type { WebSite } from '../web/web-site'
import type { Browser } from './browser'

/** The field with which the forms of a page name the organization that the browser has selected. Empty without one. */
export async function shownFields({ app, origin }: WebSite, { cookies }: Browser): Promise<Record<string, string>> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const signedIn = await app.identity.actorFromCookie(new Request(origin, { headers: { cookie } }))
  return signedIn?.organizationId ? { [shownOrganizationField]: signedIn.organizationId } : {}
}
