import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, ExternalLink, FileText } from 'lucide-react'
import { isWeb } from '../../../../contract/texts/pages/place-in-file'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { IgnoreAddress, RetryAddress } from '../../../components/addresses/address-actions'
import { AddressFacts } from '../../../components/addresses/address-facts'
import { FragmentItem } from '../../../components/addresses/fragment-item'
import { AddressBadge } from '../../../components/sources/source-status'
import { useReloadWhile } from '../../../components/ui/browser/use-reload'
import { buttonClasses } from '../../../components/ui/button'
import { Card, CardHead } from '../../../components/ui/card'
import { EmptyState } from '../../../components/ui/feedback/empty-state'
import { formatCount } from '../../../components/ui/format'
import { PageHead } from '../../../components/ui/page-head'
import { Pager } from '../../../components/ui/tables/pager'
import { pagingOf } from '../../../components/ui/tables/paging'
import { handleAddressAction } from '../../../http/actions/address-actions.server'
import { dashboardAction, dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { paths } from '../../../paths'
import { product } from '../../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.address.meta_title ?? 'Address'} · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => {
    const collectionId = requireParam(args.params.collectionId)
    const ref = { organizationId, collectionId, addressId: requireParam(args.params.addressId) }
    const paging = pagingOf(args.request, defaultPageSizes.fragments)
    const found = await redirectIfMissing(
      args.context,
      paths.collection(collectionId),
      'address',
      services.addresses.get(actor, ref, paging),
    )
    const [collection, source] = await Promise.all([
      services.collections.get(actor, organizationId, collectionId),
      services.sources.get(actor, { organizationId, collectionId, sourceId: found.address.source_id }),
    ])
    return { ...found, paging, collection, source: { id: source.id, name: source.name } }
  })
}

export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (visitor, form) =>
    handleAddressAction(visitor, form, requireParam(args.params.collectionId)),
  )
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function Address() {
  const { address, fragments, paging, collection, source } = useLoaderData<typeof loader>()
  useReloadWhile(address.status === 'pending' || address.status === 'crawling')
  return (
    <>
      <PageHead
        title={address.meta_title || address.url}
        badge={<AddressBadge address={address} />}
        description={
          <>
            {address.meta_description && <span className="block">{address.meta_description}</span>}
            {address.meta_title !== address.url && <span className="block break-all">{address.url}</span>}
          </>
        }
        back={{ to: paths.collection(collection.id), label: collection.name }}
      >
        <RetryAddress address={address} mayEdit={collection.abilities.addSource} />
        <IgnoreAddress address={address} mayEdit={collection.abilities.addSource} />
        {isWeb(address.url) ? (
          <a href={address.url} target="_blank" rel="noopener nofollow" className={buttonClasses()}>
            <ExternalLink aria-hidden="true" />
            Open page
          </a>
        ) : (
          <a href={paths.sourceFile(collection.id, address.source_id)} download className={buttonClasses()}>
            <Download aria-hidden="true" />
            Download
          </a>
        )}
      </PageHead>
      {address.message && <p className="mb-5">{address.message}</p>}
      <AddressFacts address={address} source={source} />
      <Card label="Fragments">
        <CardHead title="Fragments" count={formatCount(fragments.total)} />
        {fragments.total === 0 ? (
          <EmptyState icon={FileText} title="No fragments">
            Search cannot find this address.
          </EmptyState>
        ) : (
          <ol>
            {fragments.docs.map((fragment) => (
              <FragmentItem key={fragment.id} fragment={fragment} />
            ))}
          </ol>
        )}
        <Pager label="fragments" paging={paging} total={fragments.total} pages={fragments.pages} />
      </Card>
    </>
  )
}
