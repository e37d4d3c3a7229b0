import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import {
  CreatedCell,
  IdCell,
  idColumn,
  NamedCell,
  sortedCreatedColumn,
  TextCell,
} from '../../components/admin/admin-cells'
import { AdminList, Inspect, OwnerLink } from '../../components/admin/admin-list'
import { ActionsCell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Collections · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'collections')
}

const columns: Column[] = [
  idColumn,
  { title: 'Name', sort: 'name' },
  { title: 'Description' },
  { title: 'Organization', width: 'w-36' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-40', hidden: true },
]

export default function Collections() {
  return (
    <AdminList name="collections" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <NameCell name={row.name} to={paths.adminDetail('collections', row.id)} />
          <TextCell text={row.description || 'No description'} card="hidden" />
          <NamedCell name="organizations" id={row.organization_id} text={row.organization.name} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="collections" id={row.id} label={row.name} />
            <OwnerLink name="users" id={row.created_by} label={`User of ${row.name}`} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
