import type { KeychainView } from '../../../contract/views/organizations/keychain'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { formatCounted } from '../ui/format'
import { OrganizationForm } from '../ui/forms/organization-form'
import { RelativeTime } from '../ui/time'

/** Origins that the public key has refused, each with a button that allows it. */
export function RefusedOrigins({ origins }: { origins: KeychainView['refused_origins'] }) {
  return (
    <Card label="Refused origins">
      <CardHead title="Refused origins" count={String(origins.length)} />
      <ul>
        {origins.map(({ origin, count, last_at: lastAt }) => (
          <li
            key={origin}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2.5 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-56">
              <span className="block break-all font-mono">{origin}</span>
              <span className="text-meta text-soft">
                {formatCounted(count, 'call')}, the last one <RelativeTime value={lastAt} />
              </span>
            </span>
            <OrganizationForm preventScrollReset>
              <input type="hidden" name="origin" value={origin} />
              <Button name="intent" value="allow-origin" aria-label={`Allow ${origin}`}>
                Allow
              </Button>
            </OrganizationForm>
          </li>
        ))}
      </ul>
    </Card>
  )
}
