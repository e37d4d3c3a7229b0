import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { roleLabels } from '../../../contract/values/enumerations'
import { CreatedCell, createdColumn } from '../../components/admin/admin-cells'
import { FactsCard, RelatedLists, timeOr, WithLinks } from '../../components/admin/facts'
import { Card, CardHead } from '../../components/ui/card'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { Cell, type Column, NameCell, Table } from '../../components/ui/tables/table'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.user.email ?? 'User'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'user', async ({ services, actor }, id) => ({ user: await services.admin.user(actor, id) }))
}

const columns: Column[] = [
  { title: 'Number', width: 'w-20' },
  { title: 'Organization' },
  { title: 'Role', width: 'w-36' },
  createdColumn,
]
const lists = [
  { name: 'collections', text: 'Collections' },
  { name: 'sources', text: 'Sources' },
  { name: 'agents', text: 'Agents' },
  { name: 'threads', text: 'Threads' },
] as const

export default function User() {
  const { user } = useLoaderData<typeof loader>()
  const connections = user.org_connections
  return (
    <>
      <PageHead title={user.email} back={{ to: paths.adminList('users'), label: 'Users' }} />
      <WithLinks
        links={
          <RelatedLists
            label="Of this user"
            links={lists.map((link) => ({ ...link, to: paths.adminList(link.name, { created_by: user.id }) }))}
          />
        }
      >
        <Card label="Organizations">
          <CardHead title="Organizations" count={formatCount(connections.length)} />
          {connections.length === 0 ? (
            <p className="p-5 text-soft">User has no organizations.</p>
          ) : (
            <Table label="Organizations" columns={columns}>
              {connections.map((connection, index) => (
                <tr key={connection.organization_id}>
                  <Cell card="hidden">{formatCount(index + 1)}</Cell>
                  <NameCell
                    name={connection.organization.name}
                    to={paths.adminDetail('organizations', connection.organization_id)}
                  />
                  <Cell>{roleLabels[connection.role]}</Cell>
                  <CreatedCell time={connection.created_at} />
                </tr>
              ))}
            </Table>
          )}
        </Card>
        <FactsCard
          title="Details"
          facts={[
            ['Type', user.type === 1 ? 'Staff' : 'Normal'],
            ['Name', user.name],
            ['Surname', user.surname],
            ['External auth ID', user.auth0_id],
            ['ID', user.id],
            ['Created at', timeOr(user.created_at, '')],
          ]}
        />
      </WithLinks>
    </>
  )
}
