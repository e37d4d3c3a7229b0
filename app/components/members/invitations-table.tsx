import { Ban } from 'lucide-react'
import { roleLabels } from '../../../contract/enumerations'
import type { InvitationView } from '../../../contract/views/member'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { classes } from '../ui/classes'
import { CopyButton } from '../ui/copy-button'
import { controlClasses } from '../ui/forms/field'
import { ActionsCell, Cell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns = [
  { title: 'E-mail' },
  { title: 'Role' },
  { title: 'Link' },
  { title: 'Expires' },
  { title: 'Actions', hidden: true },
]

/** Pending invitations with their links, which can be copied until they expire. */
export function InvitationsTable({ invitations, search }: { invitations: InvitationView[]; search: URLSearchParams }) {
  return (
    <Table label="Invitations" columns={columns}>
      {invitations.map(({ id, email, role, link, expires_at: expires }) => (
        <tr key={id}>
          <Cell className="wrap-anywhere">{email}</Cell>
          <Cell label="Role">{roleLabels[role]}</Cell>
          <Cell label="Link">
            {link === null ? (
              'The link cannot be read. Invite the person again.'
            ) : (
              <span className="flex items-center gap-1">
                <input
                  readOnly
                  value={link}
                  aria-label={`Link for ${email}`}
                  className={classes(controlClasses, 'min-w-44')}
                />
                <CopyButton text={link} />
              </span>
            )}
          </Cell>
          <Cell label="Expires" className="whitespace-nowrap">
            <RelativeTime value={expires} ahead />
          </Cell>
          <ActionsCell>
            <LinkButton
              to={withQuery(search, { dialog: 'revoke', id })}
              look="quiet-danger"
              preventScrollReset
              aria-label={`Revoke the invitation for ${email}`}
            >
              <Ban aria-hidden="true" />
              Revoke
            </LinkButton>
          </ActionsCell>
        </tr>
      ))}
    </Table>
  )
}
