import { useSearchParams } from '@remix-run/react'
import { Plus, Trash2 } from 'lucide-react'
import type { SecondFactorView } from '../../../../contract/views/organizations/second-factor'
import { withQuery } from '../../ui/browser/query'
import { LinkButton } from '../../ui/button'
import { Card, CardHead } from '../../ui/card'
import { StatusBadge } from '../../ui/feedback/status-badge'
import { formatCount } from '../../ui/format'
import { RelativeTime } from '../../ui/time'

const rowClasses = 'flex flex-wrap items-center justify-between gap-3 px-4 py-3'

export function SecondFactorCard({ factor }: { factor: SecondFactorView }) {
  return (
    <Card label="Second factor">
      <CardHead title="Second factor">
        {isOn(factor) ? <StatusBadge tone="success">On</StatusBadge> : <StatusBadge tone="neutral">Off</StatusBadge>}
      </CardHead>
      <SecondFactorList factor={factor} />
    </Card>
  )
}

function isOn({ authenticator, passkeys }: SecondFactorView): boolean {
  return authenticator || passkeys.length > 0
}

/** What proves the person beside the password, with links to the dialogs of `SecondFactorDialogs`. */
export function SecondFactorList({ factor }: { factor: SecondFactorView }) {
  const [search] = useSearchParams()
  const dialog = (name: string, id?: string) => withQuery(search, { dialog: name, ...(id ? { id } : {}) })
  return (
    <div className="divide-y divide-line">
      <div className={rowClasses}>
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">Authenticator app</p>
          <p className="text-soft">
            {factor.authenticator
              ? 'You enter a code of the app after your password.'
              : 'An app on your phone shows a code, which you enter after your password.'}
          </p>
        </div>
        {factor.authenticator ? (
          <LinkButton
            to={dialog('remove-authenticator')}
            replace
            preventScrollReset
            variant="quiet-danger"
            aria-label="Remove the authenticator app"
          >
            Remove
          </LinkButton>
        ) : (
          <LinkButton to={dialog('authenticator')} replace preventScrollReset aria-label="Set up authenticator app">
            Set up
          </LinkButton>
        )}
      </div>
      <div className={rowClasses}>
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">Passkeys</p>
          <p className="text-soft">
            {factor.offers_passkeys
              ? 'Your fingerprint, your face or the PIN of a device, or a security key. A passkey also logs you in without your password.'
              : 'Browsers offer passkeys only on https, and this site has another address.'}
          </p>
        </div>
        {factor.offers_passkeys && (
          <LinkButton to={dialog('passkey')} replace preventScrollReset>
            <Plus aria-hidden="true" />
            Add passkey
          </LinkButton>
        )}
      </div>
      {factor.passkeys.map(({ id, name, created_at, last_used_at }) => (
        <div key={id} className={rowClasses}>
          <div className="min-w-0 flex-1 basis-48 pl-4">
            <p className="wrap-anywhere">{name}</p>
            <p className="text-meta text-soft">
              Added <RelativeTime value={created_at} />
              {last_used_at ? (
                <>
                  , used <RelativeTime value={last_used_at} />
                </>
              ) : (
                ', not used yet'
              )}
            </p>
          </div>
          <LinkButton
            to={dialog('remove-passkey', id)}
            replace
            preventScrollReset
            variant="quiet-danger"
            aria-label={`Remove the passkey ${name}`}
          >
            <Trash2 aria-hidden="true" />
          </LinkButton>
        </div>
      ))}
      {isOn(factor) && (
        <div className={rowClasses}>
          <div className="min-w-0 flex-1 basis-64">
            <p className="font-medium">Recovery codes</p>
            <p className="text-soft">
              {factor.recovery_codes === 0
                ? 'None are left. Create new ones, for the day on which you lose your device.'
                : `${formatCount(factor.recovery_codes)} left. Each replaces the second factor once.`}
            </p>
          </div>
          <LinkButton to={dialog('recovery-codes')} replace preventScrollReset>
            Create new codes
          </LinkButton>
        </div>
      )}
    </div>
  )
}
