import { Ban } from 'lucide-react'
import { type MailStatus, roleLabels } from '../../../contract/values/enumerations'
import type { InvitationView } from '../../../contract/views/organizations/member'
import { CopyButton } from '../copy-button'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { controlClasses } from '../ui/forms/field'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'E-mail' },
  { title: 'Role', width: 'w-32' },
  { title: 'Link', width: 'w-72' },
  { title: 'Expires', width: 'w-28' },
  { title: 'Actions', width: 'w-32', hidden: true },
]

/** What happened to the mail with the link. */
const mailTexts: Record<MailStatus, string> = {
  queued: 'Sending the e-mail.',
  sent: 'The link was sent.',
  failed: 'The e-mail could not be sent. Copy the link instead.',
}

const unreadableLink = 'The link cannot be read. Invite the person again.'

/** Pending invitations with their links, which can be copied until they expire. */
export function InvitationsTable({ invitations, search }: { invitations: InvitationView[]; search: URLSearchParams }) {
  return (
    <Table label="Invitations" columns={columns}>
      {invitations.map(({ id, email, role, link, mail_status: mail, expires_at: expires }) => (
        <tr key={id}>
          <NameCell
            name={email}
            detail={mail && <span className={mail === 'failed' ? 'text-danger' : undefined}>{mailTexts[mail]}</span>}
          />
          <Cell>{roleLabels[role]}</Cell>
          <Cell card="line">
            {link === null ? (
              <span title={unreadableLink}>{unreadableLink}</span>
            ) : (
              <span className="flex items-center gap-1">
                <input readOnly value={link} aria-label={`Link for ${email}`} className={controlClasses} />
                <CopyButton text={link} />
              </span>
            )}
          </Cell>
          <Cell label="Expires">
            <RelativeTime value={expires} ahead />
          </Cell>
          <ActionsCell>
            <LinkButton
              to={withQuery(search, { dialog: 'revoke', id })}
              variant="quiet-danger"
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
