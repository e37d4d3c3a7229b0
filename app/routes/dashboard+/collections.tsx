import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { Library, Pencil, Plus, Trash2 } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/limits'
import { CollectionDialog } from '../../components/collections/collection-dialog'
import { DeleteCollection } from '../../components/collections/delete-collection'
import { useShowNotifications } from '../../components/notifications/context'
import { reasons } from '../../components/roles'
import { AllowedLink } from '../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { LinkButton } from '../../components/ui/button'
import { Card } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { pagingOf } from '../../components/ui/tables/paging'
import { ActionsCell, Cell, Table } from '../../components/ui/tables/table'
import { handleCollectionAction } from '../../http/actions/collection-actions.server'
import { readForm } from '../../http/api/body.server'
import { canAdd } from '../../http/session/abilities.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Collections · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, role }) => {
    const paging = pagingOf(args.request, defaultPageSizes.collections)
    const collections = await orMessage(
      services.collections.list(actor, organizationId, paging),
      loadErrors.collections,
    )
    return { paging, collections, mayAdd: canAdd(role) }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor) => {
    const form = await readForm(args.request)
    return handleCollectionAction(visitor, form, String(form.get('id') ?? ''))
  })
}

const columns = [{ title: 'Name' }, { title: 'Fragments', number: true }, { title: 'Actions', hidden: true }]

export default function Collections() {
  const { collections, paging, mayAdd } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(answer?.notifications)
  const closeTo = withoutDialog(search)
  const opened = collections.docs.find(({ id }) => id === search.get('id'))
  const add = (
    <AllowedLink
      allowed={mayAdd}
      reason={reasons.viewer}
      to={withQuery(search, { dialog: 'create' })}
      look="primary"
      icon={Plus}
    >
      Add new
    </AllowedLink>
  )
  return (
    <>
      <PageHead title="Collections">{collections.total > 0 && add}</PageHead>
      <Card label="Collections">
        {collections.total === 0 ? (
          <EmptyState icon={Library} title="Add your first collection" action={add}>
            A collection groups sites. Agents answer from it.
          </EmptyState>
        ) : (
          <Table label="Collections" columns={columns}>
            {collections.docs.map((collection) => (
              <tr key={collection.id}>
                <Cell className="wrap-anywhere">
                  <Link to={paths.collection(collection.id)} className="font-[570] text-text hover:underline">
                    {collection.name}
                  </Link>
                  <p className="text-small text-soft">{collection.description || 'No description'}</p>
                </Cell>
                <Cell label="Fragments" number>
                  {formatCount(collection.fragments)}
                </Cell>
                <ActionsCell>
                  <LinkButton to={paths.collection(collection.id)} look="quiet" aria-label={`View ${collection.name}`}>
                    View
                  </LinkButton>
                  <AllowedLink
                    allowed={collection.abilities.edit}
                    reason={reasons.viewer}
                    to={withQuery(search, { dialog: 'edit', id: collection.id })}
                    look="quiet"
                    icon={Pencil}
                    label={`Edit ${collection.name}`}
                  >
                    Edit
                  </AllowedLink>
                  <AllowedLink
                    allowed={collection.abilities.delete}
                    reason={reasons.viewer}
                    to={withQuery(search, { dialog: 'delete', id: collection.id })}
                    look="quiet-danger"
                    icon={Trash2}
                    label={`Delete ${collection.name}`}
                  >
                    Delete
                  </AllowedLink>
                </ActionsCell>
              </tr>
            ))}
          </Table>
        )}
        <Pager label="collections" paging={paging} total={collections.total} pages={collections.pages} />
      </Card>
      {search.get('dialog') === 'create' && mayAdd && (
        <CollectionDialog closeTo={closeTo} lastResult={answer?.result} />
      )}
      {search.get('dialog') === 'edit' && opened && (
        <CollectionDialog key={opened.id} collection={opened} closeTo={closeTo} lastResult={answer?.result} />
      )}
      {search.get('dialog') === 'delete' && opened && <DeleteCollection collection={opened} closeTo={closeTo} />}
    </>
  )
}
