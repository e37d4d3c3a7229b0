import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { deviceName } from '../../../contract/texts/device-name'
import { CreatedCell, NamedCell, shortId, sortedCreatedColumn, TextCell } from '../../components/admin/admin-cells'
import { AdminList, Inspect, OwnerLink } from '../../components/admin/admin-list'
import { shortAddress } from '../../components/ui/format'
import { ActionsCell, Cell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Threads · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'threads')
}

const columns: Column[] = [
  { title: 'ID', width: 'w-28' },
  { title: 'Origin' },
  { title: 'IP Address', width: 'w-28' },
  { title: 'User Agent' },
  { title: 'Agent', width: 'w-28' },
  { title: 'Organization', width: 'w-28' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-24', hidden: true },
]

export default function Threads() {
  return (
    <AdminList name="threads" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <NameCell name={shortId(row.id)} to={paths.adminDetail('threads', row.id)} />
          <TextCell text={row.meta_origin && shortAddress(row.meta_origin)} card="hidden" />
          <TextCell text={row.meta_ip} />
          <Cell card="hidden">
            {row.meta_user_agent && <span title={row.meta_user_agent}>{deviceName(row.meta_user_agent)}</span>}
          </Cell>
          {row.agent_id !== null && row.agent !== null ? (
            <NamedCell name="agents" id={row.agent_id} text={row.agent.name} />
          ) : (
            <Cell>Deleted</Cell>
          )}
          <NamedCell name="organizations" id={row.organization_id} text={row.organization.name} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="threads" id={row.id} label={row.id} iconOnly />
            <OwnerLink name="users" id={row.created_by} label={`User of ${row.id}`} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
