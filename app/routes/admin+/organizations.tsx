import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { CreatedCell, IdCell, idColumn, sortedCreatedColumn } from '../../components/admin/admin-cells'
import { AdminList, Inspect, OwnerLink } from '../../components/admin/admin-list'
import { ActionsCell, Cell, type Column, NameCell } from '../../components/ui/tables/table'
import { LocalTime } from '../../components/ui/time'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Organizations · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'organizations')
}

const columns: Column[] = [
  idColumn,
  { title: 'Name', sort: 'name' },
  { title: 'Plan', width: 'w-28', sort: 'plan' },
  { title: 'Onboarding', width: 'w-48', sort: '-onboarding' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-40', hidden: true },
]

export default function Organizations() {
  return (
    <AdminList name="organizations" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <NameCell name={row.name} to={paths.adminDetail('organizations', row.id)} />
          <Cell>{row.plan.display_name}</Cell>
          <Cell className="tabular-nums">
            {row.onboarding ? <LocalTime value={row.onboarding.created_at} /> : 'Not onboarded'}
          </Cell>
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="organizations" id={row.id} label={row.name} />
            <OwnerLink name="users" id={row.created_by} label={`User of ${row.name}`} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
