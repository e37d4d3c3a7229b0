import { auditActorName, auditChangeText } from '../../../contract/texts/audit-log'
import { auditActions } from '../../../contract/values/audit'
import type { AuditEventView } from '../../../contract/views/organizations/audit'
import { MiddleText } from '../ui/tables/middle-text'
import { Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { LocalTime } from '../ui/time'

const columns: Column[] = [
  { title: 'What' },
  { title: 'Details', width: 'w-[32%]' },
  { title: 'Who', width: 'w-52' },
  { title: 'Time', width: 'w-44' },
]

export function AuditTable({ events }: { events: AuditEventView[] }) {
  return (
    <Table label="Audit log" columns={columns}>
      {events.map(({ id, action, actor, subject, changes, created_at: createdAt }) => (
        <tr key={id}>
          <NameCell name={auditActions[action]} detail={subject.name || subject.id} />
          <AuditChanges changes={changes} />
          <Cell>
            <MiddleText text={auditActorName(actor)} />
          </Cell>
          <Cell className="text-soft tabular-nums">
            <LocalTime value={createdAt} />
          </Cell>
        </tr>
      ))}
    </Table>
  )
}

function AuditChanges({ changes }: Pick<AuditEventView, 'changes'>) {
  const text = changes.map(auditChangeText).join(', ')
  return <Cell card="line">{text && <span title={text}>{text}</span>}</Cell>
}
