import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { sourceTypeLabels } from '../../../contract/values/enumerations'
import {
  BadgeCell,
  CreatedCell,
  IdCell,
  idColumn,
  NamedCell,
  sortedCreatedColumn,
  TextCell,
} from '../../components/admin/admin-cells'
import { AdminList, Inspect, OpenLink, OwnerLink } from '../../components/admin/admin-list'
import { ItemStatus } from '../../components/sources/source-status'
import { shortAddress } from '../../components/ui/format'
import { ActionsCell, Cell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Sources · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'sources')
}

const columns: Column[] = [
  idColumn,
  { title: 'Type', width: 'w-20', sort: 'type' },
  { title: 'Status', width: 'w-28', sort: 'status' },
  { title: 'Name', sort: 'name' },
  { title: 'URL / Filename' },
  { title: 'Organization', width: 'w-28' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-40', hidden: true },
]

export default function Sources() {
  return (
    <AdminList name="sources" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <Cell>{sourceTypeLabels[row.type]}</Cell>
          <BadgeCell>
            <ItemStatus status={row.status} />
          </BadgeCell>
          <NameCell name={row.name} to={paths.adminDetail('sources', row.id)} />
          <TextCell text={row.url === null ? row.file_name : shortAddress(row.url)} card="line" />
          <NamedCell name="organizations" id={row.organization_id} text={row.organization.name} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="sources" id={row.id} label={row.name} iconOnly />
            <OwnerLink name="collections" id={row.collection_id} label={`Collection of ${row.name}`} />
            <OwnerLink name="users" id={row.created_by} label={`User of ${row.name}`} />
            <OpenLink url={row.url} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
