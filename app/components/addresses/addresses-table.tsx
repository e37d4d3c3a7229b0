import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import { ExternalLink, FileText } from 'lucide-react'
import { useRef } from 'react'
import type { Paged, Paging } from '../../../contract/paging'
import type { AddressView } from '../../../contract/source'
import { paths } from '../../paths'
import { CrawlStatus } from '../sources/source-status'
import { buttonClasses } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { controlClasses } from '../ui/field'
import { formatCount } from '../ui/format'
import { Pager } from '../ui/pager'
import { ActionsCell, Cell, Table } from '../ui/table'
import { RelativeTime } from '../ui/time'

interface AddressesTableProps {
  collectionId: string
  addresses: Paged<AddressView>
  paging: Paging
  filter: string
}

const columns = [
  { title: 'Address' },
  { title: 'Status' },
  { title: 'Fragments', number: true },
  { title: 'Crawled' },
  { title: 'Actions', hidden: true },
]

export function AddressesTable({ collectionId, addresses, paging, filter }: AddressesTableProps) {
  return (
    <Card label="Addresses">
      <CardHead title="Addresses" count={formatCount(addresses.total)}>
        {(addresses.total > 0 || filter) && <Filter filter={filter} />}
      </CardHead>
      {addresses.total === 0 ? (
        <EmptyState icon={FileText} title={filter ? 'No address matches' : 'No addresses yet'}>
          {filter ? 'Try a shorter part of the address or title.' : 'They appear here as soon as a source is read.'}
        </EmptyState>
      ) : (
        <Table label="Addresses" columns={columns}>
          {addresses.docs.map((address) => (
            <AddressRow key={address.id} collectionId={collectionId} address={address} />
          ))}
        </Table>
      )}
      <Pager label="addresses" paging={paging} total={addresses.total} pages={addresses.pages} />
    </Card>
  )
}

function Filter({ filter }: { filter: string }) {
  const [search] = useSearchParams()
  const submit = useSubmit()
  const timer = useRef<number>()
  const others = [...search].filter(([name]) => name !== 'filter' && name !== 'page')
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex gap-2"
      onChange={(event) => {
        const form = event.currentTarget
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => submit(form, { preventScrollReset: true, replace: true }), 250)
      }}
    >
      {others.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <input
        type="search"
        name="filter"
        defaultValue={filter}
        placeholder="Filter addresses"
        aria-label="Filter addresses"
        className={`${controlClasses} sm:w-56`}
      />
    </Form>
  )
}

function AddressRow({ collectionId, address }: { collectionId: string; address: AddressView }) {
  return (
    <tr>
      <Cell className="min-w-48 wrap-anywhere">
        <Link
          to={paths.addressFragments(collectionId, address.id)}
          className="break-words font-[570] text-text hover:underline"
        >
          {address.meta_title || pathOf(address.url)}
        </Link>
        <p className="break-all text-small text-soft">{pathOf(address.url)}</p>
      </Cell>
      <Cell>
        <CrawlStatus status={address.status} />
      </Cell>
      <Cell label="Fragments" number>
        {formatCount(address.fragments)}
      </Cell>
      <Cell className="text-soft">
        {address.message ?? (address.crawled_at ? <RelativeTime value={address.crawled_at} /> : 'Not yet')}
      </Cell>
      <ActionsCell>
        <a
          href={address.url}
          target="_blank"
          rel="noopener nofollow"
          aria-label={`Open ${address.meta_title || address.url} in a new tab`}
          className={buttonClasses('quiet', '!px-2')}
        >
          <ExternalLink aria-hidden="true" />
        </a>
      </ActionsCell>
    </tr>
  )
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname, search } = new URL(address)
  return pathname === '/' && !search ? host : pathname + search
}
