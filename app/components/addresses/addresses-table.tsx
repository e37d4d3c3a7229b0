import { FileText } from 'lucide-react'
import type { AddressFilter } from '../../../contract/address'
import type { Paged, Paging, Sort } from '../../../contract/values/paging'
import type { AddressView } from '../../../contract/views/address'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { formatCount } from '../ui/format'
import { Pager } from '../ui/tables/pager'
import { type Column, Table } from '../ui/tables/table'
import { AddressFilters, type ReasonOption, type SourceChoices } from './address-filters'
import { AddressRow } from './address-row'

interface AddressesTableProps {
  addresses: Paged<AddressView>
  paging: Paging
  sort: Sort | undefined
  filter: AddressFilter
  choices: SourceChoices
  reasons: ReasonOption[]
  mayEdit: boolean
}

const columns: Column[] = [
  { title: 'Address', sort: 'address' },
  { title: 'Status', width: 'w-36', sort: 'status' },
  { title: 'Language', width: 'w-28', extra: true },
  { title: 'Fragments', width: 'w-24', number: true, sort: '-fragments' },
  { title: 'Fetched', width: 'w-44', sort: '-crawled_at' },
  { title: 'Actions', width: 'w-40', hidden: true },
]

export function AddressesTable({ addresses, paging, sort, filter, choices, reasons, mayEdit }: AddressesTableProps) {
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <Card label="Addresses">
      <CardHead title="Addresses" count={formatCount(addresses.total)} />
      {(addresses.total > 0 || isFiltered) && <AddressFilters filter={filter} choices={choices} reasons={reasons} />}
      {addresses.total === 0 ? (
        <EmptyState icon={FileText} title={isFiltered ? 'No address matches' : 'No addresses yet'}>
          {isFiltered
            ? 'Use fewer filters, or a shorter part of the URL or title.'
            : 'They appear here as soon as a source is crawled.'}
        </EmptyState>
      ) : (
        <Table label="Addresses" columns={columns} sort={sort}>
          {addresses.docs.map((address) => (
            <AddressRow key={address.id} address={address} mayEdit={mayEdit} />
          ))}
        </Table>
      )}
      <Pager label="addresses" paging={paging} total={addresses.total} pages={addresses.pages} />
    </Card>
  )
}
