import { deviceName } from '../../../contract/texts/device-name'
import type { SignInView } from '../../../contract/views/organizations/session'
import { Card, CardHead } from '../ui/card'
import { MiddleText } from '../ui/tables/middle-text'
import { Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'Browser' },
  { title: 'With', width: 'w-52', extra: true },
  { title: 'Address', width: 'w-44' },
  { title: 'Time', width: 'w-36' },
]

const methodLabels: Record<string, string> = {
  pwd: 'password',
  otp: 'app',
  recovery: 'recovery code',
  passkey: 'passkey',
}

/** When and from where the person signed in last. */
export function SignInsCard({ signIns, signInService }: { signIns: SignInView[]; signInService: string | null }) {
  return (
    <Card label="Recent sign-ins">
      <CardHead title="Recent sign-ins" />
      {signIns.length === 0 ? (
        <p className="px-4 py-3 text-soft">You will see here when and from where your account is used to sign in.</p>
      ) : (
        <Table label="Recent sign-ins" columns={columns}>
          {signIns.map(({ id, methods, user_agent, ip, created_at }) => (
            <tr key={id}>
              <NameCell name={deviceName(user_agent)} />
              <Cell extra className="text-soft">
                {methodText(methods) ?? signInService ?? 'Unknown'}
              </Cell>
              <Cell card="hidden">
                <MiddleText text={ip ?? 'Unknown'} />
              </Cell>
              <Cell label="Time" className="text-soft">
                <RelativeTime value={created_at} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

function methodText(methods: string[] | null): string | null {
  if (!methods || methods.length === 0) return null
  const text = methods.map((method) => methodLabels[method] ?? method).join(' and ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
