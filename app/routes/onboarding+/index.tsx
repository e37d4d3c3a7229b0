import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { goals, onboardingSchema } from '../../../contract/organization'
import { useShowNotifications } from '../../components/notifications/context'
import { withOtherText } from '../../components/onboarding/labels'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { Questionnaire } from '../../components/onboarding/questionnaire'
import { submitForm } from '../../http/actions/form.server'
import { readForm } from '../../http/api/body.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Onboarding · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ organization }) => data({ goals, organization: organization.name }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async ({ services, actor, organizationId, context }) => {
    const form = withOtherText(await readForm(args.request))
    return submitForm(context, form, onboardingSchema, 'Something went wrong', async (answers) => {
      await services.organizations.onboard(actor, organizationId, answers)
      return redirect(paths.dashboard(), 303)
    })
  })
}

export default function Onboarding() {
  const { goals: choices, organization } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  useShowNotifications(answer?.notifications)
  return (
    <OnboardingFrame title="Five short questions" text={`They help us to help ${organization}.`}>
      <Questionnaire goals={choices} lastResult={answer?.result} />
    </OnboardingFrame>
  )
}
