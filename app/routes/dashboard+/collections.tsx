import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { Eye, Library, Pencil, Plus, Trash2 } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/values/limits'
import { collectionSorts } from '../../../contract/values/sorts'
import type { CollectionView } from '../../../contract/views/collection'
import { type CollectionProgress, collectionProgress } from '../../components/collections/collection-progress'
import { DeleteCollection } from '../../components/collections/delete-collection'
import { useShowNotifications } from '../../components/notifications/context'
import { reasons } from '../../components/roles'
import { AllowedLink } from '../../components/ui/allowed'
import { withoutDialog, withQuery } from '../../components/ui/browser/query'
import { useReloadWhile } from '../../components/ui/browser/use-reload'
import { LinkButton } from '../../components/ui/button'
import { Card } from '../../components/ui/card'
import { lazyDialog } from '../../components/ui/dialogs/lazy-dialog'
import { EmptyState } from '../../components/ui/feedback/empty-state'
import { StatusBadge } from '../../components/ui/feedback/status-badge'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { Pager } from '../../components/ui/tables/pager'
import { pagingOf, sortOf } from '../../components/ui/tables/paging'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../../components/ui/tables/table'
import { RelativeTime } from '../../components/ui/time'
import { handleCollectionAction } from '../../http/actions/collection-actions.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

const CollectionDialog = lazyDialog(
  async () => (await import('../../components/collections/collection-dialog')).CollectionDialog,
)

export const meta: MetaFunction = () => [{ title: `Collections · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organization, organizationId }) => {
    const paging = pagingOf(args.request, defaultPageSizes.collections)
    const sort = sortOf(args.request, collectionSorts)
    const collections = await orMessage(
      services.collections.list(actor, organizationId, { ...paging, sort }),
      loadErrors.collections,
    )
    const ids = collections.docs.map(({ id }) => id)
    const reading = await orMessage(services.sources.runProgress(actor, organizationId, ids), loadErrors.sources)
    const canEmbed = services.embedding.state().kind !== 'unavailable'
    return { paging, sort, collections, reading, canEmbed, mayAdd: organization.abilities.addCollection }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) =>
    handleCollectionAction(visitor, form, String(form.get('id') ?? '')),
  )
}

export { clientAction } from '../../components/ui/browser/client-action'

const columns: Column[] = [
  { title: 'Name', sort: 'name' },
  { title: 'Fragments', width: 'w-48', number: true },
  { title: 'Created', width: 'w-36', sort: '-created_at', extra: true },
  { title: 'Actions', width: 'w-64', hidden: true },
]

export default function Collections() {
  const { collections, reading, paging, sort, canEmbed, mayAdd } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(answer?.notifications)
  const progressOf = (collection: CollectionView) => collectionProgress(collection, reading[collection.id], canEmbed)
  useReloadWhile(collections.docs.some((collection) => progressOf(collection) !== null))
  const closeTo = withoutDialog(search)
  const opened = collections.docs.find(({ id }) => id === search.get('id'))
  const add = (
    <AllowedLink
      allowed={mayAdd}
      reason={reasons.viewer}
      to={withQuery(search, { dialog: 'create' })}
      variant="primary"
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
          <Table label="Collections" columns={columns} sort={sort}>
            {collections.docs.map((collection) => (
              <tr key={collection.id}>
                <NameCell
                  name={collection.name}
                  to={paths.collection(collection.id)}
                  badge={<ProgressBadge progress={progressOf(collection)} />}
                  detail={
                    <span title={collection.description || undefined}>
                      {collection.description || 'No description'}
                    </span>
                  }
                />
                <Cell number card="hidden">
                  {formatCount(collection.fragments)}
                  <span className="block text-small text-soft">{progressOf(collection)?.line}</span>
                </Cell>
                <Cell extra className="text-soft">
                  <RelativeTime value={collection.created_at} />
                </Cell>
                <ActionsCell>
                  <LinkButton
                    to={paths.collection(collection.id)}
                    variant="quiet"
                    aria-label={`View ${collection.name}`}
                  >
                    <Eye aria-hidden="true" />
                    View
                  </LinkButton>
                  <AllowedLink
                    allowed={collection.abilities.edit}
                    reason={reasons.viewer}
                    to={withQuery(search, { dialog: 'edit', id: collection.id })}
                    variant="quiet"
                    icon={Pencil}
                    label={`Edit ${collection.name}`}
                  >
                    Edit
                  </AllowedLink>
                  <AllowedLink
                    allowed={collection.abilities.delete}
                    reason={reasons.viewer}
                    to={withQuery(search, { dialog: 'delete', id: collection.id })}
                    variant="quiet-danger"
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
      {search.get('dialog') === 'edit' && opened?.abilities.edit && (
        <CollectionDialog key={opened.id} collection={opened} closeTo={closeTo} lastResult={answer?.result} />
      )}
      {search.get('dialog') === 'delete' && opened?.abilities.delete && (
        <DeleteCollection collection={opened} closeTo={closeTo} />
      )}
    </>
  )
}

function ProgressBadge({ progress }: { progress: CollectionProgress | null }) {
  return progress && <StatusBadge tone="running">{progress.stage}</StatusBadge>
}
