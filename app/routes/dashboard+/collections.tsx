import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { Library } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/values/limits'
import { collectionSorts } from '../../../contract/values/sorts'
import type { CollectionView } from '../../../contract/views/collection'
import { type CollectionProgress, collectionProgress } from '../../components/collections/collection-progress'
import { DeleteCollection } from '../../components/collections/delete-collection'
import { NamedList } from '../../components/named/named-list'
import { useShowNotifications } from '../../components/notifications/context'
import { reasons } from '../../components/roles'
import { IconImage } from '../../components/site-icon'
import { useReloadWhile } from '../../components/ui/browser/use-reload'
import { StatusBadge } from '../../components/ui/feedback/status-badge'
import { formatCount } from '../../components/ui/format'
import { lazyComponent } from '../../components/ui/lazy-component'
import { pagingOf, sortOf } from '../../components/ui/tables/paging'
import { Cell } from '../../components/ui/tables/table'
import { handleCollectionAction } from '../../http/actions/collection-actions.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

const CollectionDialog = lazyComponent(
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

export default function Collections() {
  const { collections, reading, paging, sort, canEmbed, mayAdd } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  useShowNotifications(actionData?.notifications)
  const progressOf = (collection: CollectionView) => collectionProgress(collection, reading[collection.id], canEmbed)
  useReloadWhile(collections.docs.some((collection) => progressOf(collection) !== null))
  return (
    <NamedList
      title="Collections"
      icon={Library}
      rows={collections}
      paging={paging}
      sort={sort}
      add={{ label: 'Add new', isAllowed: mayAdd }}
      empty={{
        title: 'Add your first collection',
        text: 'A collection groups sites. Agents answer from it.',
      }}
      column={{ title: 'Fragments', width: 'w-48', number: true }}
      cell={(collection) => (
        <Cell number card="hidden">
          {formatCount(collection.fragments)}
          <span className="block text-meta text-soft">{progressOf(collection)?.line}</span>
        </Cell>
      )}
      mark={({ id, name }) => <IconImage src={paths.collectionIcon(id, name)} />}
      badge={(collection) => <ProgressBadge progress={progressOf(collection)} />}
      pathOf={paths.collection}
      reason={reasons.viewer}
      dialog={(name, collection, closeTo) => {
        const shared = { closeTo, lastResult: actionData?.result }
        if (name === 'create') return mayAdd && <CollectionDialog {...shared} />
        if (name === 'edit')
          return (
            collection?.abilities.edit && <CollectionDialog key={collection.id} collection={collection} {...shared} />
          )
        return (
          name === 'delete' &&
          collection?.abilities.delete && <DeleteCollection collection={collection} closeTo={closeTo} />
        )
      }}
    />
  )
}

function ProgressBadge({ progress }: { progress: CollectionProgress | null }) {
  return progress && <StatusBadge tone="running">{progress.stage}</StatusBadge>
}
