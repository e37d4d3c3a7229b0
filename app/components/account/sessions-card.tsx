import { Form, useNavigation } from '@remix-run/react'
import { LogOut } from 'lucide-react'
import { deviceName } from '../../../contract/texts/device-name'
import type { SessionView } from '../../../contract/views/organizations/session'
import { Button, buttonClasses } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { StatusBadge } from '../ui/feedback/status-badge'
import { formatCount } from '../ui/format'
import { IntentButton } from '../ui/menus/intent-button'
import { MiddleText } from '../ui/tables/middle-text'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'Browser' },
  { title: 'Address', width: 'w-44' },
  { title: 'Signed in', width: 'w-36', extra: true },
  { title: 'Last seen', width: 'w-36' },
  { title: 'Actions', width: 'w-28', hidden: true },
]

/** The browsers in which the person is signed in. */
export function SessionsCard({ sessions }: { sessions: SessionView[] }) {
  const navigation = useNavigation()
  return (
    <Card label="Sessions">
      <CardHead title="Sessions" count={formatCount(sessions.length)}>
        {sessions.length > 1 && (
          <Form method="post" replace preventScrollReset>
            <Button
              name="intent"
              value="end-other-sessions"
              pending={navigation.formData?.get('intent') === 'end-other-sessions'}
            >
              End all others
            </Button>
          </Form>
        )}
      </CardHead>
      <Table label="Sessions" columns={columns}>
        {sessions.map(({ id, user_agent, ip, created_at, last_seen_at, is_current }) => (
          <tr key={id}>
            <NameCell
              name={deviceName(user_agent)}
              badge={is_current && <StatusBadge tone="success">This browser</StatusBadge>}
            />
            <Cell card="hidden">
              <MiddleText text={ip ?? 'Unknown'} />
            </Cell>
            <Cell extra className="text-soft">
              <RelativeTime value={created_at} />
            </Cell>
            <Cell label="Last seen" className="text-soft">
              <RelativeTime value={last_seen_at} />
            </Cell>
            <ActionsCell>
              {!is_current && (
                <IntentButton
                  id={id}
                  intent="end-session"
                  icon={LogOut}
                  label={`End the session of ${deviceName(user_agent)}`}
                  reason={null}
                  className={buttonClasses('quiet-danger')}
                >
                  End
                </IntentButton>
              )}
            </ActionsCell>
          </tr>
        ))}
      </Table>
    </Card>
  )
}
