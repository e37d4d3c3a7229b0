import { FileText } from 'lucide-react'
import type { AddressFilter } from '../../../contract/address'
import type { Paged, Paging } from '../../../contract/paging'
import type { AddressView } from '../../../contract/views/address'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { formatCount } from '../ui/format'
import { Pager } from '../ui/tables/pager'
import { Table } from '../ui/tables/table'
import { AddressFilters, type ReasonOption, type SourceOption } from './address-filters'
import { AddressRow } from './address-row'

interface AddressesTableProps {
  collectionId: string
  addresses: Paged<AddressView>
  paging: Paging
  filter: AddressFilter
  sources: SourceOption[]
  reasons: ReasonOption[]
  mayEdit: boolean
}

const columns = [
  { title: 'Address' },
  { title: 'Status' },
  { title: 'Language' },
  { title: 'Fragments', number: true },
  { title: 'Fetched' },
  { title: 'Actions', hidden: true },
]

export function AddressesTable({
  collectionId,
  addresses,
  paging,
  filter,
  sources,
  reasons,
  mayEdit,
}: AddressesTableProps) {
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <Card label="Addresses">
      <CardHead title="Addresses" count={formatCount(addresses.total)} />
      {(addresses.total > 0 || isFiltered) && <AddressFilters filter={filter} sources={sources} reasons={reasons} />}
      {addresses.total === 0 ? (
        <EmptyState icon={FileText} title={isFiltered ? 'No address matches' : 'No addresses yet'}>
          {isFiltered
            ? 'Use fewer filters, or a shorter part of the URL or title.'
            : 'They appear here as soon as a source is read.'}
        </EmptyState>
      ) : (
        <Table label="Addresses" columns={columns}>
          {addresses.docs.map((address) => (
            <AddressRow key={address.id} collectionId={collectionId} address={address} mayEdit={mayEdit} />
          ))}
        </Table>
      )}
      <Pager label="addresses" paging={paging} total={addresses.total} pages={addresses.pages} />
    </Card>
  )
}
