import { LogOut, Pencil, UserMinus } from 'lucide-react'
import { fullNameOf } from '../../../contract/texts/full-name'
import { roleLabels } from '../../../contract/values/enumerations'
import type { MemberView } from '../../../contract/views/organizations/member'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'Person' },
  { title: 'Role', width: 'w-36' },
  { title: 'Since', width: 'w-36', extra: true },
  { title: 'Actions', width: 'w-60', hidden: true },
]

interface MembersTableProps {
  members: MemberView[]
  /** The person who looks at it, who can leave but not remove themselves. */
  ownId: string
  mayLeave: boolean
  search: URLSearchParams
}

export function MembersTable({ members, ownId, mayLeave, search }: MembersTableProps) {
  return (
    <Table label="Members" columns={columns}>
      {members.map((member) => {
        const { user_id: id, email, role, created_at: since } = member
        const name = fullNameOf(member)
        const isOwn = id === ownId
        return (
          <tr key={id}>
            <NameCell
              name={name || email}
              badge={isOwn && <span className="text-meta text-soft">you</span>}
              detail={name && email}
            />
            <Cell>{roleLabels[role]}</Cell>
            <Cell extra className="text-soft">
              <RelativeTime value={since} />
            </Cell>
            <ActionsCell>
              <LinkButton
                to={withQuery(search, { dialog: 'role', id })}
                variant="quiet"
                preventScrollReset
                aria-label={`Change role of ${email}`}
              >
                <Pencil aria-hidden="true" />
                Change role
              </LinkButton>
              <AllowedLink
                allowed={mayLeave || !isOwn}
                reason={reasons.lastAdministrator}
                to={withQuery(search, isOwn ? { dialog: 'leave', id: null } : { dialog: 'remove', id })}
                variant="quiet-danger"
                icon={isOwn ? LogOut : UserMinus}
                label={isOwn ? 'Leave organization' : `Remove ${email}`}
              >
                {isOwn ? 'Leave' : 'Remove'}
              </AllowedLink>
            </ActionsCell>
          </tr>
        )
      })}
    </Table>
  )
}
