import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ExternalLink, FileText } from 'lucide-react'
import { notification } from '../../components/notifications/notification'
import { CrawlStatus } from '../../components/sources/source-status'
import { buttonClasses } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { EmptyState } from '../../components/ui/empty-state'
import { formatCount } from '../../components/ui/format'
import { PageHead } from '../../components/ui/page-head'
import { RelativeTime } from '../../components/ui/time'
import { missingTo } from '../../http/missing.server'
import { required, visit } from '../../http/visit.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.address.meta_title ?? 'Address'} · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return visit(args, async ({ app, actor, organizationId }) => {
    const collectionId = required(args.params.collectionId)
    const found = await missingTo(
      paths.collection(collectionId),
      notification('warning', "Couldn't find address", 'This address does not exist or you do not have access to it.'),
      app.addresses.fragments(actor, organizationId, collectionId, required(args.params.addressId)),
    )
    return { ...found, collection: await app.collections.get(actor, organizationId, collectionId) }
  })
}

export default function Address() {
  const { address, fragments, collection } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHead
        title={address.meta_title || address.url}
        badge={<CrawlStatus status={address.status} />}
        description={address.meta_description ?? undefined}
        back={{ to: paths.collection(collection.id), label: collection.name }}
      >
        <a href={address.url} target="_blank" rel="noopener nofollow" className={buttonClasses()}>
          <ExternalLink aria-hidden="true" />
          Open page
        </a>
      </PageHead>
      <p className="-mt-3 mb-5 break-all text-soft">
        {address.url}
        {address.crawled_at && (
          <>
            {' · crawled '}
            <RelativeTime value={address.crawled_at} />
          </>
        )}
      </p>
      {address.message && <p className="mb-5">{address.message}</p>}
      <Card>
        <CardHead title="Fragments" count={formatCount(fragments.length)} />
        {fragments.length === 0 ? (
          <EmptyState icon={FileText} title="No fragments">
            Nothing of this page can be searched.
          </EmptyState>
        ) : (
          <ol>
            {fragments.map((fragment, at) => (
              <li key={fragment.id} className="border-t border-line px-4 py-3 first:border-t-0">
                <p className="text-small text-soft">
                  {at + 1}
                  {fragment.headings.length > 0 && ` · ${fragment.headings.join(' › ')}`}
                </p>
                <p className="mt-1 max-w-prose whitespace-pre-line break-words">{fragment.content}</p>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </>
  )
}
