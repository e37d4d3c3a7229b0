import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { CreatedCell, IdCell, idColumn, sortedCreatedColumn, TextCell } from '../../components/admin/admin-cells'
import { AdminList, Inspect } from '../../components/admin/admin-list'
import { Avatar } from '../../components/avatar'
import { ActionsCell, Cell, type Column, NameCell } from '../../components/ui/tables/table'
import { adminList } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Users · Admin Panel · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return adminList(args, 'users')
}

const columns: Column[] = [
  idColumn,
  { title: 'Picture', width: 'w-20' },
  { title: 'E-mail', sort: 'email' },
  { title: 'Name', width: 'w-28', sort: 'name' },
  { title: 'Surname', width: 'w-28', sort: 'surname' },
  sortedCreatedColumn,
  { title: 'Actions', width: 'w-32', hidden: true },
]

export default function Users() {
  return (
    <AdminList name="users" columns={columns} {...useLoaderData<typeof loader>()}>
      {(row) => (
        <tr key={row.id}>
          <IdCell id={row.id} />
          <Cell card="hidden">
            <Avatar person={row} />
          </Cell>
          <NameCell name={row.email} to={paths.adminDetail('users', row.id)} />
          <TextCell text={row.name} />
          <TextCell text={row.surname} />
          <CreatedCell time={row.created_at} />
          <ActionsCell>
            <Inspect name="users" id={row.id} label={row.email} />
          </ActionsCell>
        </tr>
      )}
    </AdminList>
  )
}
