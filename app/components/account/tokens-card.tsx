import { Ban, Plus } from 'lucide-react'
import { roleLabels } from '../../../contract/values/enumerations'
import type { AccessTokenView } from '../../../contract/views/organizations/access-token'
import { paths } from '../../paths'
import { withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { StatusBadge } from '../ui/feedback/status-badge'
import { formatCount } from '../ui/format'
import { MiddleText } from '../ui/tables/middle-text'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'Name' },
  { title: 'Role', width: 'w-36' },
  { title: 'Organization', width: 'w-40' },
  { title: 'Expires', width: 'w-32' },
  { title: 'Last used', width: 'w-36', extra: true },
  { title: 'Actions', width: 'w-32', hidden: true },
]

interface TokensCardProps {
  tokens: AccessTokenView[]
  search: URLSearchParams
}

/** The person's access tokens for /v1. */
export function TokensCard({ tokens, search }: TokensCardProps) {
  return (
    <Card label="Access tokens">
      <CardHead title="Access tokens" count={formatCount(tokens.length)}>
        <LinkButton to={withQuery(search, { dialog: 'token', id: null })} preventScrollReset>
          <Plus aria-hidden="true" />
          New token
        </LinkButton>
      </CardHead>
      {tokens.length === 0 ? (
        <p className="max-w-prose p-4 text-soft">
          With an access token a program acts for you in the{' '}
          <a href={paths.help('http-api')} className="text-accent-strong underline">
            HTTP API
          </a>
          , with your role or a lower one.
        </p>
      ) : (
        <Table label="Access tokens" columns={columns}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} search={search} />
          ))}
        </Table>
      )}
    </Card>
  )
}

function TokenRow({ token, search }: { token: AccessTokenView; search: URLSearchParams }) {
  const { id, name, role, organization, expires_at: expires, last_used_at: used, is_expired: isExpired } = token
  return (
    <tr>
      <NameCell name={name} />
      <Cell card="hidden">{role === null ? 'Same as yours' : roleLabels[role]}</Cell>
      <Cell card="hidden">
        <MiddleText text={organization?.name ?? 'All'} />
      </Cell>
      <Cell label={isExpired ? undefined : 'Expires'}>
        {isExpired ? <StatusBadge tone="warning">Expired</StatusBadge> : <RelativeTime value={expires} ahead />}
      </Cell>
      <Cell extra className="text-soft">
        {used === null ? 'Never' : <RelativeTime value={used} />}
      </Cell>
      <ActionsCell>
        <LinkButton
          to={withQuery(search, { dialog: 'revoke-token', id })}
          variant="quiet-danger"
          preventScrollReset
          aria-label={`Revoke ${name}`}
        >
          <Ban aria-hidden="true" />
          Revoke
        </LinkButton>
      </ActionsCell>
    </tr>
  )
}
