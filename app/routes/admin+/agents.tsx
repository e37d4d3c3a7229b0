import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import {
  BadgeCell,
  CreatedCell,
  IdCell,
  idColumn,
  NamedCell,
  sortedCreatedColumn,
} from '../../components/admin/admin-cells'
import { AdminList, Inspect, OwnerLink } from '../../components/admin/admin-list'
import { AgentStatusBadge } from '../../components/agents/agent-status'
import { ActionsCell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Agents · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'agents')
}

const columns: Column[] = [
  idColumn,
  { title: 'Status', width: 'w-44' },
  { title: 'Name', sort: 'name' },
  { title: 'Organization', width: 'w-36' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-48', hidden: true },
]

export default function Agents() {
  return (
    <AdminList name="agents" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <BadgeCell>
            <AgentStatusBadge status={row.status} />
          </BadgeCell>
          <NameCell name={row.name} to={paths.adminDetail('agents', row.id)} />
          <NamedCell name="organizations" id={row.organization_id} text={row.organization.name} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="agents" id={row.id} label={row.name} />
            <OwnerLink name="collections" id={row.collection_id} label={`Collection of ${row.name}`} />
            <OwnerLink name="users" id={row.created_by} label={`User of ${row.name}`} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
