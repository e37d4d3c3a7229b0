import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Building2 } from 'lucide-react'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { removalText } from '../../components/onboarding/removal-text'
import { Button } from '../../components/ui/button'
import { sessionOf } from '../../http/session/session.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Choose an organization · ${product.name}` }]

/** Where people come whom the organization that they had selected has removed, if they have another one. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const session = await sessionOf(context, request)
  if (!session?.lostOrganizationId) throw redirect(paths.dashboard(), 303)
  const removal = await context.services.removals.find(session.actor, session.lostOrganizationId)
  if (!removal || session.user.org_connections.length === 0) throw redirect(paths.dashboard(), 303)
  return { removal, memberships: session.user.org_connections }
}

export default function Removed() {
  const { removal, memberships } = useLoaderData<typeof loader>()
  return (
    <OnboardingFrame title="Choose an organization" text={removalText(removal)}>
      <Form method="post" action={paths.selectOrganization()} className="grid gap-2" aria-label="Your organizations">
        {memberships.map(({ organization_id: id, organization }) => (
          <Button key={id} name="organizationId" value={id} className="justify-start">
            <Building2 aria-hidden="true" />
            <span className="truncate">{organization.name}</span>
          </Button>
        ))}
      </Form>
    </OnboardingFrame>
  )
}
