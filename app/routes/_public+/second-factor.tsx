import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { Building2 } from 'lucide-react'
import { SecondFactorList } from '../../components/account/second-factor/second-factor-card'
import { SecondFactorDialogs } from '../../components/account/second-factor/second-factor-dialogs'
import { useShowNotifications } from '../../components/notifications/context'
import { OnboardingFrame } from '../../components/onboarding/onboarding-frame'
import { Button, LinkButton } from '../../components/ui/button'
import { handleSecondFactorAction } from '../../http/actions/account/second-factor-actions.server'
import { readForm } from '../../http/body.server'
import { toErrorData } from '../../http/session/dashboard.server'
import { sessionOf } from '../../http/session/session.server'
import { redirectToSignIn } from '../../http/session/sign-in-redirect.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Set up a second factor · ${product.name}` }]

/** Where people come who have no access to the back office or to an organization without a second factor. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const session = await sessionOf(context, request)
  if (!session) throw await redirectToSignIn(context, request)
  const factor = await context.identity.secondFactor.view(request)
  if (!factor || session.actor.kind !== 'person') throw redirect(paths.dashboard(), 303)
  const { lacksSecondFactor } = session.actor
  const isBarred = (id: string) => lacksSecondFactor?.organizationIds.includes(id) === true
  const connections = session.user.org_connections.map(({ organization_id: id, organization: { name } }) => ({
    id,
    name,
  }))
  return {
    factor,
    isStaff: lacksSecondFactor?.staff === true,
    barred: connections.filter(({ id }) => isBarred(id)),
    open: connections.filter(({ id }) => !isBarred(id)),
    isNeeded: lacksSecondFactor !== undefined,
  }
}

export async function action({ context, request }: ActionFunctionArgs) {
  try {
    if (!(await sessionOf(context, request))) throw await redirectToSignIn(context, request)
    return await handleSecondFactorAction({ context, url: new URL(request.url) }, request, await readForm(request))
  } catch (error) {
    throw toErrorData(error, context)
  }
}

export default function SecondFactor() {
  const { factor, isStaff, barred, open, isNeeded } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  useShowNotifications(actionData?.notifications)
  const places = [...(isStaff ? ['The back office'] : []), ...barred.map(({ name }) => name)]
  return (
    <OnboardingFrame
      title={isNeeded ? 'Set up a second factor' : 'Your second factor is set up'}
      text={
        isNeeded
          ? `${new Intl.ListFormat('en').format(places)} ${places.length === 1 ? 'requires' : 'require'} one, so that a password alone opens nothing.`
          : 'From now on, you confirm each log-in with it.'
      }
    >
      <div className="grid gap-5">
        <div className="-mx-4 -mt-3">
          <SecondFactorList factor={factor} />
        </div>
        {isNeeded ? (
          open.length > 0 && (
            <Form
              method="post"
              action={paths.selectOrganization()}
              className="grid gap-2"
              aria-label="Organizations that require none"
            >
              <p className="text-soft">Or continue with:</p>
              {open.map(({ id, name }) => (
                <Button key={id} name="organizationId" value={id} className="justify-start">
                  <Building2 aria-hidden="true" />
                  <span className="truncate">{name}</span>
                </Button>
              ))}
            </Form>
          )
        ) : (
          <div className="flex justify-end">
            <LinkButton to={paths.dashboard()} variant="primary">
              Continue
            </LinkButton>
          </div>
        )}
      </div>
      <SecondFactorDialogs factor={factor} actionData={actionData ?? undefined} />
    </OnboardingFrame>
  )
}
