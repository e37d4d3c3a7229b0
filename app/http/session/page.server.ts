import { type AppLoadContext, redirect } from '@remix-run/node'
import { invalidState } from '../../../contract/texts/invalid-state'
import { userTypes } from '../../../contract/values/enumerations'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import { AppError, isAppError } from '../../../server/errors'
import { paths } from '../../paths'
import { selectLinkedOrganization } from './linked-organization.server'
import { type Session, sessionOf } from './session.server'
import { redirectToSignIn } from './sign-in-redirect.server'

export interface Person extends Omit<Session, 'organizationId' | 'lostOrganizationId'> {
  organization: OrganizationView | null
}

/** For pages that need a signed-in person with an organization. Throws a redirect for anybody else (see `whereTo`). */
export async function page(context: AppLoadContext, request: Request) {
  const { organization, ...visitor } = await person(context, request)
  if (!organization) throw redirect(paths.onboardingOrganization(), 303)
  return { ...visitor, organization }
}

/** For pages that work without an organization as well. Throws a redirect for anybody else (see `whereTo`). */
export async function person(context: AppLoadContext, request: Request): Promise<Person> {
  const session = await sessionOf(context, request)
  if (!session) throw await redirectToSignIn(context, request)
  const { organizationId, lostOrganizationId, ...visitor } = session
  const { organizations, removals } = context.services
  if (lostOrganizationId && organizationId && (await removals.find(session.actor, lostOrganizationId)))
    throw redirect(paths.removed(), 303)
  if (needsSecondFactor(new URL(request.url).pathname, session)) throw redirect(paths.secondFactor(), 303)
  await selectLinkedOrganization(context, request, session)
  const organization = organizationId
    ? await orInvalidState(organizations.get(session.actor, organizationId), invalidState.organization)
    : null
  const elsewhere = whereTo(new URL(request.url).pathname, visitor.user, organization)
  if (elsewhere) throw redirect(elsewhere, 303)
  return { ...visitor, organization }
}

/** The person who is signed in, or null. For public pages. */
export async function visitor(context: AppLoadContext, request: Request): Promise<CurrentUserView | null> {
  return (await sessionOf(context, request))?.user ?? null
}

/** Awaits `data`. If a membership or the session ended after the guard, throws unauthenticated with `message`. */
export async function orInvalidState<Result>(data: Promise<Result>, message: string): Promise<Result> {
  try {
    return await data
  } catch (error) {
    const hasEnded = isAppError(error) && (error.code === 'not_found' || error.code === 'unauthenticated')
    throw hasEnded ? new AppError('unauthenticated', message, { cause: error }) : error
  }
}

/** The contract's route guard (specification, section 2): the path to redirect to, or null to stay. */
export function whereTo(
  path: string,
  user: Pick<CurrentUserView, 'type'>,
  organization: Pick<OrganizationView, 'onboarding'> | null,
): string | null {
  const place = !organization
    ? paths.onboardingOrganization()
    : !organization.onboarding
      ? paths.onboarding()
      : isUnder(path, paths.onboarding())
        ? paths.dashboard()
        : null
  if (place !== null) return place === path ? null : place
  return isUnder(path, '/admin') && user.type !== userTypes.staff ? paths.dashboard() : null
}

/** Whether the page is closed to the person until they set up a second factor. */
function needsSecondFactor(path: string, { actor, organizationId, lostOrganizationId }: Session): boolean {
  if (actor.kind !== 'person' || !actor.lacksSecondFactor) return false
  const { staff, organizationIds } = actor.lacksSecondFactor
  if (staff && isUnder(path, '/admin')) return true
  const isSelected = lostOrganizationId !== null && organizationIds.includes(lostOrganizationId)
  return isSelected || (organizationId === null && organizationIds.length > 0)
}

function isUnder(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
