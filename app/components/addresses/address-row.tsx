import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { AddressView } from '../../../contract/views/address'
import { paths } from '../../paths'
import { AddressBadge } from '../sources/source-status'
import { formatCount, shortAddress } from '../ui/format'
import { Cell, NameCell } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'
import { AddressActions } from './address-actions'
import { languageName } from './language-name'
import { reasonLabel } from './reason-labels'

interface AddressRowProps {
  address: AddressView
  mayEdit: boolean
}

export function AddressRow({ address, mayEdit }: AddressRowProps) {
  const { collection_id: collectionId, meta_title: title } = address
  const place = shortAddress(address.url)
  const detail = title && title !== address.url ? place : null
  return (
    <tr>
      <NameCell
        name={title || place}
        to={paths.addressFragments(collectionId, address.id)}
        detail={address.message ? <AddressProblem address={address} place={detail} /> : detail}
      />
      <Cell>
        <AddressBadge address={address} />
      </Cell>
      <Cell extra className="text-soft">
        {address.language && languageName(address.language)}
      </Cell>
      <Cell number card="hidden">
        {formatCount(address.fragments)}
      </Cell>
      <Cell className="text-soft" card="hidden">
        {address.crawled_at ? <RelativeTime value={address.crawled_at} /> : <LastTry address={address} />}
        {address.changed_at && isLater(address.crawled_at, address.changed_at) && (
          <span className="block truncate text-meta">
            changed <RelativeTime value={address.changed_at} />
          </span>
        )}
      </Cell>
      <AddressActions address={address} mayEdit={mayEdit} />
    </tr>
  )
}

/** Why the address is not indexed, in a phrase; the sentence is behind it, and on the address's own page. */
function AddressProblem({ address: { reason, message }, place }: { address: AddressView; place: string | null }) {
  const phrase = reason ? reasonLabel(reason) : message
  return <span title={[message, place].filter(Boolean).join('\n')}>{[phrase, place].filter(Boolean).join(' · ')}</span>
}

/** A visit that found no page to index counts, and so does a file that could not be read. */
function LastTry({ address: { url, status, http_status: httpStatus, updated_at: time } }: { address: AddressView }) {
  const isTried = isWeb(url) ? httpStatus !== null : status === 'idle' || status === 'fail'
  return isTried ? <RelativeTime value={time} /> : 'Not yet'
}

/** The times of one fetch differ slightly, so less than a minute does not count. */
function isLater(time: string | null, than: string): boolean {
  return time !== null && Date.parse(time) - Date.parse(than) > 60_000
}
