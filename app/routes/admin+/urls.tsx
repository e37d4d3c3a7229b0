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
import { AdminList, Inspect, OpenLink } from '../../components/admin/admin-list'
import { AddressBadge } from '../../components/sources/source-status'
import { shortAddress } from '../../components/ui/format'
import { ActionsCell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `URLs · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'urls')
}

const columns: Column[] = [
  idColumn,
  { title: 'Status', width: 'w-[7.25rem]' },
  { title: 'Address' },
  { title: 'Source', width: 'w-24' },
  { title: 'Collection', width: 'w-24' },
  { title: 'Organization', width: 'w-28' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-24', hidden: true },
]

export default function Urls() {
  return (
    <AdminList name="urls" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <BadgeCell>
            <AddressBadge address={row} />
          </BadgeCell>
          <NameCell name={shortAddress(row.url)} to={paths.adminDetail('urls', row.id)} />
          <NamedCell name="sources" id={row.source_id} text={row.source.name} card="hidden" />
          <NamedCell name="collections" id={row.collection_id} text={row.collection.name} card="hidden" />
          <NamedCell name="organizations" id={row.organization_id} text={row.organization.name} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="urls" id={row.id} label={row.url} iconOnly />
            <OpenLink url={row.url} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
