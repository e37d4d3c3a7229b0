import { useForm } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import type { OrganizationInput } from '../../../contract/organizations/organization'
import { organizationFailure } from '../../../contract/texts/organization-failure'
import { useShowNotifications } from '../../components/notifications/context'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { removalText } from '../../components/onboarding/removal-text'
import { OrganizationFailure } from '../../components/organizations/organization-failure'
import { OrganizationFields } from '../../components/organizations/organization-fields'
import { Button } from '../../components/ui/button'
import { Notice } from '../../components/ui/feedback/notice'
import { createOrganization } from '../../http/actions/new-organization.server'
import { readForm } from '../../http/body.server'
import { orSessionMessage, toErrorData } from '../../http/session/dashboard.server'
import { person } from '../../http/session/page.server'
import { sessionOf } from '../../http/session/session.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Your organization · ${product.name}` }]

export async function loader({ context, request }: LoaderFunctionArgs) {
  try {
    const { actor } = await orSessionMessage(context, request, person(context, request))
    const lost = (await sessionOf(context, request))?.lostOrganizationId
    return { removal: lost ? await context.services.removals.find(actor, lost) : null }
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export async function action({ context, request }: ActionFunctionArgs) {
  try {
    const { actor } = await person(context, request)
    return await createOrganization({ context, request, actor }, await readForm(request), {
      title: organizationFailure.title,
      notifiesLimits: true,
    })
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function NewOrganization() {
  const { removal } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const navigation = useNavigation()
  // The banner has the contract's text; the notification says why.
  useShowNotifications(actionData?.notifications)
  const [form, fields] = useForm<OrganizationInput>({ id: 'organization', lastResult: actionData?.result })
  return (
    <OnboardingFrame
      title="Name your organization"
      text="Collections and agents belong to an organization. You can change its name later. To join an organization that exists, ask one of its administrators for an invitation."
    >
      <Form method="post" id={form.id} noValidate className="grid gap-4">
        {removal && (
          <Notice kind="warning" title={`You are no longer a member of ${removal.organization}`}>
            {removalText(removal)}
          </Notice>
        )}
        {form.errors && <OrganizationFailure />}
        <OrganizationFields fields={fields} />
        <div className="flex justify-end">
          <Button variant="primary" pending={navigation.state !== 'idle'}>
            Continue
          </Button>
        </div>
      </Form>
    </OnboardingFrame>
  )
}
