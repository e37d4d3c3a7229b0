import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { AddressView } from '../../../contract/views/address'
import { paths } from '../../paths'
import { AddressBadge } from '../sources/source-status'
import { formatCount } from '../ui/format'
import { Cell } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'
import { AddressActions } from './address-actions'

interface AddressRowProps {
  collectionId: string
  address: AddressView
  mayEdit: boolean
}

export function AddressRow({ collectionId, address, mayEdit }: AddressRowProps) {
  return (
    <tr>
      <Cell className="min-w-48 wrap-anywhere">
        <Link to={paths.addressFragments(collectionId, address.id)} className="font-[570] text-text hover:underline">
          {address.meta_title || pathOf(address.url)}
        </Link>
        {address.meta_title && address.meta_title !== address.url && (
          <p className="break-all text-small text-soft">{pathOf(address.url)}</p>
        )}
        {address.message && <p className="mt-0.5 text-small">{address.message}</p>}
      </Cell>
      <Cell>
        <AddressBadge address={address} />
      </Cell>
      <Cell label="Language">{address.language}</Cell>
      <Cell label="Fragments" number>
        {formatCount(address.fragments)}
      </Cell>
      <Cell label="Fetched" className="whitespace-nowrap text-soft">
        {address.crawled_at ? <RelativeTime value={address.crawled_at} /> : notFetched(address)}
        {address.changed_at && isLater(address.crawled_at, address.changed_at) && (
          <span className="block text-small">
            changed <RelativeTime value={address.changed_at} />
          </span>
        )}
      </Cell>
      <AddressActions address={address} mayEdit={mayEdit} />
    </tr>
  )
}

/** An address without a page may have been requested all the same. */
function notFetched({ http_status: status, updated_at: time }: AddressView): ReactNode {
  if (status === null) return 'Not yet'
  return (
    <>
      asked <RelativeTime value={time} />
    </>
  )
}

/** The times of one fetch differ slightly, so less than a minute does not count. */
function isLater(time: string | null, than: string): boolean {
  return time !== null && Date.parse(time) - Date.parse(than) > 60_000
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname, search } = new URL(address)
  return pathname === '/' && !search ? host : pathname + search
}
