import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { UserPlus } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/values/limits'
import { InvitationsTable } from '../../components/members/invitations-table'
import { MembersTable } from '../../components/members/members-table'
import { useShowNotifications } from '../../components/notifications/context'
import { SettingsNav } from '../../components/organizations/settings-nav'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { useReloadWhile } from '../../components/ui/browser/use-reload'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { ConfirmDialog } from '../../components/ui/dialogs/confirm-dialog'
import { formatCount } from '../../components/ui/format'
import { lazyComponent } from '../../components/ui/lazy-component'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { type PageParameters, pagingOf } from '../../components/ui/tables/paging'
import { handleMemberAction } from '../../http/actions/member-actions.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

const RoleDialog = lazyComponent(async () => (await import('../../components/members/role-dialog')).RoleDialog)

const InviteDialog = lazyComponent(async () => (await import('../../components/members/invite-dialog')).InviteDialog)

export const meta: MetaFunction = () => [{ title: `Members · ${product.name}` }]

const invitationPages: PageParameters = { page: 'invitations', size: 'invitations-size', sort: 'invitations-sort' }

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organization, organizationId, context }) => {
    const paging = pagingOf(args.request, defaultPageSizes.members)
    const invitationPaging = pagingOf(args.request, defaultPageSizes.invitations, invitationPages)
    return {
      abilities: organization.abilities,
      paging,
      members: await services.members.list(actor, organizationId, paging),
      invitationPaging,
      invitations: await services.invitations.list(actor, organizationId, invitationPaging),
      ownId: user.id,
      isLastAdministrator: await services.members.isLastAdministrator(actor, organizationId),
      sendsMail: context.settings.sendsMail,
      isSignUpClosed: context.settings.signUp === 'closed',
    }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) => handleMemberAction(visitor, form))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Members() {
  const {
    abilities,
    members,
    invitations,
    paging,
    invitationPaging,
    ownId,
    isLastAdministrator,
    sendsMail,
    isSignUpClosed,
  } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(actionData?.notifications)
  useReloadWhile(invitations.docs.some(({ mail_status }) => mail_status === 'queued'))
  const closeTo = withoutDialog(search)
  const dialog = search.get('dialog')
  const member = members.docs.find(({ user_id }) => user_id === search.get('id'))
  const invitation = invitations.docs.find(({ id }) => id === search.get('id'))
  return (
    <>
      <PageHead title="Members" description="The people who can use this organization, and pending invitations.">
        <LinkButton to={withQuery(search, { dialog: 'invite', id: null })} variant="primary" preventScrollReset>
          <UserPlus aria-hidden="true" />
          Invite
        </LinkButton>
      </PageHead>
      <SettingsNav abilities={abilities} />
      <div className="grid gap-5">
        <Card label="Members">
          <MembersTable members={members.docs} ownId={ownId} mayLeave={!isLastAdministrator} search={search} />
          <Pager label="members" paging={paging} total={members.total} pages={members.pages} />
        </Card>
        {invitations.total > 0 && (
          <Card label="Invitations">
            <CardHead title="Invitations" count={formatCount(invitations.total)} />
            <InvitationsTable invitations={invitations.docs} search={search} />
            <Pager
              label="invitations"
              paging={invitationPaging}
              total={invitations.total}
              pages={invitations.pages}
              names={invitationPages}
            />
          </Card>
        )}
      </div>
      {dialog === 'invite' && (
        <InviteDialog
          closeTo={closeTo}
          lastResult={actionData?.result}
          sendsMail={sendsMail}
          isSignUpClosed={isSignUpClosed}
        />
      )}
      {dialog === 'role' && member && (
        <RoleDialog key={member.user_id} member={member} closeTo={closeTo} lastResult={actionData?.result} />
      )}
      {dialog === 'remove' && member && member.user_id !== ownId && (
        <ConfirmDialog
          title={`Remove ${member.email}?`}
          confirm="Remove member"
          closeTo={closeTo}
          values={{ intent: 'remove-member', id: member.user_id }}
        >
          <p>They lose access immediately. Their work stays. You can invite them again.</p>
        </ConfirmDialog>
      )}
      {dialog === 'revoke' && invitation && (
        <ConfirmDialog
          title={`Revoke the invitation for ${invitation.email}?`}
          confirm="Revoke invitation"
          closeTo={closeTo}
          values={{ intent: 'revoke-invitation', id: invitation.id }}
        >
          <p>Its link stops working. You can invite this person again.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
