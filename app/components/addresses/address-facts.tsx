import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { AddressView } from '../../../contract/views/address'
import { paths } from '../../paths'
import { Card, CardHead } from '../ui/card'
import { formatBytes, formatCount } from '../ui/format'
import { RelativeTime } from '../ui/time'
import { languageName } from './language-name'

/** Lists what is known about an address. */
export function AddressFacts({
  address,
  source,
}: {
  address: AddressView
  source: { id: string; name: string } | null
}) {
  const isPage = isWeb(address.url)
  const facts: [name: string, value: ReactNode][] = [
    [
      'Source',
      source && (
        <FactLink key="source" to={paths.source(address.collection_id, source.id)}>
          {source.name}
        </FactLink>
      ),
    ],
    [
      'Found on',
      isPage && address.discovered_from && (
        <AddressLink key="found" collectionId={address.collection_id} url={address.discovered_from} />
      ),
    ],
    ['Links from the start', isPage && formatCount(address.depth)],
    [
      'Indexed instead',
      address.canonical_url && (
        <AddressLink key="canonical" collectionId={address.collection_id} url={address.canonical_url} />
      ),
    ],
    ['HTTP status', address.http_status],
    ['Content type', address.content_type],
    ['Size', address.bytes !== null && formatBytes(address.bytes)],
    ['Language', address.language && languageName(address.language)],
    ['Fragments', formatCount(address.fragments)],
    ['First seen', <RelativeTime key="created" value={address.created_at} />],
    ['Fetched', address.crawled_at && <RelativeTime key="fetched" value={address.crawled_at} />],
    ['Text changed', address.changed_at && <RelativeTime key="changed" value={address.changed_at} />],
    ['Author', address.author],
    ['Published', address.published_at && <RelativeTime key="published" value={address.published_at} />],
    ['Modified', address.modified_at && <RelativeTime key="modified" value={address.modified_at} />],
    ['Failures in a row', address.failures > 0 && formatCount(address.failures)],
    ['Next fetch', address.next_fetch_at && <RelativeTime key="next" value={address.next_fetch_at} ahead />],
  ]
  return (
    <Card label="Details" className="mb-5">
      <CardHead title="Details" />
      <dl className="grid grid-cols-[130px_minmax(0,1fr)] gap-x-4 gap-y-2.5 p-4 sm:grid-cols-[160px_minmax(0,1fr)] sm:gap-x-6 lg:grid-cols-[160px_minmax(0,1fr)_160px_minmax(0,1fr)]">
        {facts
          .filter(([, value]) => value !== null && value !== false && value !== '')
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  )
}

function AddressLink({ collectionId, url }: { collectionId: string; url: string }) {
  return <FactLink to={paths.addresses(collectionId, { filter: url })}>{url}</FactLink>
}

function FactLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="break-all text-accent-strong hover:underline">
      {children}
    </Link>
  )
}
