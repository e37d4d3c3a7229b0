import { isWeb } from '../../../contract/texts/pages/place-in-file'
import { parseUrl } from '../../../contract/values/url'
import type { AddressView } from '../../../contract/views/address'
import { paths } from '../../paths'
import { AddressBadge } from '../sources/source-status'
import { formatCount } from '../ui/format'
import { Cell, NameCell } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'
import { AddressActions } from './address-actions'
import type { SourceOption } from './address-filters'
import { languageName } from './language-name'

interface AddressRowProps {
  address: AddressView
  /** The sources of the addresses, with their sites. */
  sources: SourceOption[]
  mayEdit: boolean
}

export function AddressRow({ address, sources, mayEdit }: AddressRowProps) {
  const { collection_id: collectionId, meta_title: title, message } = address
  const path = pathOf(address.url, sources.find(({ id }) => id === address.source_id)?.url ?? null)
  const detail = title && title !== address.url ? path : null
  return (
    <tr>
      <NameCell
        name={title || path}
        to={paths.addressFragments(collectionId, address.id)}
        detail={message ? <AddressProblem path={detail} message={message} /> : detail}
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

function AddressProblem({ path, message }: { path: string | null; message: string }) {
  const text = path ? `${message} · ${path}` : message
  return <span title={text}>{text}</span>
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

/** The address without the host of its source's site. */
function pathOf(address: string, site: string | null): string {
  const url = parseUrl(address)
  if (url === null) return address
  const { host, pathname, search } = url
  const path = pathname === '/' && !search ? '' : pathname + search
  return path !== '' && site !== null && parseUrl(site)?.host === host ? path : host + path
}
