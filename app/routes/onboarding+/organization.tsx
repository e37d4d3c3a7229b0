import { useForm } from '@conform-to/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Form, useActionData, useNavigation } from '@remix-run/react'
import { lengths } from '../../../contract/limits'
import { type OrganizationInput, organizationSchema } from '../../../contract/organization'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { Button } from '../../components/ui/button'
import { Notice } from '../../components/ui/feedback/notice'
import { TextField } from '../../components/ui/forms/field'
import { submitForm } from '../../http/actions/form.server'
import { readForm } from '../../http/api/body.server'
import { orSessionMessage, toErrorData } from '../../http/session/dashboard.server'
import { person } from '../../http/session/page.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Your organization · ${product.name}` }]

export async function loader({ context, request }: LoaderFunctionArgs) {
  try {
    await orSessionMessage(context, request, person(context, request))
  } catch (error) {
    throw toErrorData(error, context)
  }
  return null
}

export async function action({ context, request }: ActionFunctionArgs) {
  try {
    const { actor } = await person(context, request)
    const form = await readForm(request)
    return await submitForm(context, form, organizationSchema, 'Oops, something went wrong!', async (input) => {
      await context.services.organizations.create(actor, input)
      return redirect(paths.onboarding(), 303)
    })
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export default function NewOrganization() {
  const answer = useActionData<typeof action>()
  const navigation = useNavigation()
  const [form, fields] = useForm<OrganizationInput>({ id: 'organization', lastResult: answer?.result })
  return (
    <OnboardingFrame
      title="Name your organization"
      text="Collections and agents belong to an organization. You can change its name later."
    >
      <Form method="post" id={form.id} noValidate className="grid gap-4">
        {form.errors && (
          <Notice kind="danger" title="Oops, something went wrong!">
            Something went wrong, try again later!
          </Notice>
        )}
        <TextField
          field={fields.name}
          label="Name"
          required
          maxLength={lengths.organizationName}
          autoComplete="organization"
        />
        <TextField
          field={fields.entity_name}
          label="Legal entity name"
          maxLength={lengths.entityName}
          hint="As on your invoices."
        />
        <div className="flex justify-end">
          <Button look="primary" pending={navigation.state !== 'idle'}>
            Continue
          </Button>
        </div>
      </Form>
    </OnboardingFrame>
  )
}
