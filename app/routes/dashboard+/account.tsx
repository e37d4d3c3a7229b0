import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { useRef } from 'react'
import { userTypes } from '../../../contract/values/enumerations'
import { NoticesCard } from '../../components/account/notices-card'
import { PasswordCard } from '../../components/account/password-card'
import { ProfileCard } from '../../components/account/profile-card'
import { SecondFactorCard } from '../../components/account/second-factor/second-factor-card'
import { SecondFactorDialogs } from '../../components/account/second-factor/second-factor-dialogs'
import { SessionsCard } from '../../components/account/sessions-card'
import { SignInsCard } from '../../components/account/sign-ins-card'
import { TokenDialog } from '../../components/account/token-dialog'
import { TokensCard } from '../../components/account/tokens-card'
import { useShowNotifications } from '../../components/notifications/context'
import { withoutDialog } from '../../components/ui/browser/query'
import { ConfirmDialog } from '../../components/ui/dialogs/confirm-dialog'
import { UnsavedGuard } from '../../components/ui/dialogs/unsaved-guard'
import { PageHead } from '../../components/ui/page-head'
import { handleAccountAction } from '../../http/actions/account/account-actions.server'
import { readForm } from '../../http/body.server'
import { dashboardLoader, unreadAction } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Your account · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, context }) => ({
    user,
    signInService: context.settings.signInService,
    sendsMail: context.settings.sendsMail,
    wantsNotices: await services.notices.isWanted(actor),
    tokens: await services.accessTokens.list(actor, user.id),
    sessions: await context.identity.account.sessions(args.request),
    signIns: await context.identity.account.signIns(args.request),
    factor: await context.identity.secondFactor.view(args.request),
  }))
}

export function action(args: ActionFunctionArgs) {
  return unreadAction(args, async (visitor) => handleAccountAction(visitor, args.request, await readForm(args.request)))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Account() {
  const { user, signInService, sendsMail, wantsNotices, tokens, sessions, signIns, factor } =
    useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  const scope = useRef<HTMLDivElement>(null)
  useShowNotifications(actionData?.notifications)
  const closeTo = withoutDialog(search)
  const isResponsible = user.type === userTypes.staff || user.org_connections.some(({ role }) => role === 'admin')
  const dialog = search.get('dialog')
  const confirmation = search.get('confirm')
  const token = tokens.find(({ id }) => id === search.get('id'))
  // The page has several forms. Only the one that was sent shows the result.
  const resultOf = (intent: string) =>
    actionData?.result?.initialValue?.intent === intent ? actionData.result : undefined
  return (
    <>
      <PageHead title="Your account" description="Your profile, and who and what can act for you." />
      <UnsavedGuard scope={scope} />
      <div ref={scope} className="grid gap-5">
        <ProfileCard
          user={user}
          signInService={signInService}
          sendsMail={sendsMail}
          lastResult={resultOf('rename')}
          lastEmailResult={resultOf('change-email')}
        />
        {signInService === null && <PasswordCard lastResult={resultOf('change-password')} />}
        {factor && <SecondFactorCard factor={factor} />}
        {sendsMail && isResponsible && <NoticesCard isWanted={wantsNotices} />}
        <TokensCard tokens={tokens} search={search} />
        <SessionsCard sessions={sessions} />
        <SignInsCard signIns={signIns} signInService={signInService} />
      </div>
      {factor && <SecondFactorDialogs factor={factor} actionData={actionData ?? undefined} />}
      {confirmation !== null && (
        <ConfirmDialog
          title="Confirm your new e-mail address?"
          confirm="Confirm address"
          variant="primary"
          closeTo={paths.account()}
          values={{ intent: 'confirm-email', token: confirmation }}
        >
          <p>Your account gets the e-mail address that received the link. From now on, use it to log in.</p>
        </ConfirmDialog>
      )}
      {dialog === 'token' && (
        <TokenDialog
          memberships={user.org_connections}
          closeTo={closeTo}
          lastResult={resultOf('create-token')}
          created={actionData && 'created' in actionData ? actionData.created : undefined}
        />
      )}
      {dialog === 'revoke-token' && token && (
        <ConfirmDialog
          title={`Revoke ${token.name}?`}
          confirm="Revoke token"
          closeTo={closeTo}
          values={{ intent: 'revoke-token', id: token.id }}
        >
          <p>Programs that use the token lose access at once. You can't undo this.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
