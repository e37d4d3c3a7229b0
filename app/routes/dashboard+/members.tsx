import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { UserPlus } from 'lucide-react'
import { InvitationsTable } from '../../components/members/invitations-table'
import { InviteDialog } from '../../components/members/invite-dialog'
import { MembersTable } from '../../components/members/members-table'
import { RoleDialog } from '../../components/members/role-dialog'
import { useShowNotifications } from '../../components/notifications/context'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { ConfirmDialog } from '../../components/ui/dialogs/confirm-dialog'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { handleMemberAction } from '../../http/actions/member-actions.server'
import { readForm } from '../../http/api/body.server'
import { dashboardAction, dashboardLoader } from '../../http/session/dashboard.server'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Members · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organizationId }) => ({
    members: await services.members.list(actor, organizationId),
    invitations: await services.invitations.list(actor, organizationId),
    ownId: user.id,
  }))
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor) => handleMemberAction(visitor, await readForm(args.request)))
}

export default function Members() {
  const { members, invitations, ownId } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(answer?.notifications)
  const closeTo = withoutDialog(search)
  const dialog = search.get('dialog')
  const member = members.find(({ user_id }) => user_id === search.get('id'))
  const invitation = invitations.find(({ id }) => id === search.get('id'))
  return (
    <>
      <PageHead title="Members" description="The people who can use this organization, and who is invited.">
        <LinkButton to={withQuery(search, { dialog: 'invite', id: null })} look="primary" preventScrollReset>
          <UserPlus aria-hidden="true" />
          Invite
        </LinkButton>
      </PageHead>
      <div className="grid gap-5">
        <Card label="Members">
          <MembersTable members={members} ownId={ownId} search={search} />
        </Card>
        {invitations.length > 0 && (
          <Card label="Invitations">
            <CardHead title="Invitations" count={formatCount(invitations.length)} />
            <InvitationsTable invitations={invitations} search={search} />
          </Card>
        )}
      </div>
      {dialog === 'invite' && <InviteDialog closeTo={closeTo} lastResult={answer?.result} />}
      {dialog === 'role' && member && (
        <RoleDialog key={member.user_id} member={member} closeTo={closeTo} lastResult={answer?.result} />
      )}
      {dialog === 'remove' && member && (
        <ConfirmDialog
          title={`Remove ${member.email}?`}
          confirm="Remove member"
          closeTo={closeTo}
          values={{ intent: 'remove-member', id: member.user_id }}
        >
          <p>This person loses access at once. What they created stays. You can invite them again.</p>
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
