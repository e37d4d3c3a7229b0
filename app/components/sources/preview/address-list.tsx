import { formatCount } from '../../ui/format'
import type { PreviewAddress } from './state'

interface PreviewAddressesProps {
  title: 'Included' | 'Excluded' | 'On other sites'
  /** The first ones; `total` counts all. */
  list: PreviewAddress[]
  total: number
}

const labels = {
  Included: 'Included addresses',
  Excluded: 'Excluded addresses',
  'On other sites': 'Addresses on other sites',
}

/** Lists addresses of a preview, excluded ones with their reason. */
export function PreviewAddresses({ title, list, total }: PreviewAddressesProps) {
  const count = Math.max(total, list.length)
  if (count === 0) return null
  return (
    <div>
      <h4 className="mb-1 font-[570]">
        {title} <span className="font-normal text-soft">{formatCount(count)}</span>
      </h4>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={labels[title]}
        className="max-h-56 overflow-y-auto overscroll-contain rounded-small border border-line"
      >
        {list.map((item) => (
          <li key={item.address} className="border-t border-line px-3 py-1.5 first:border-t-0">
            <span className="break-all">{item.address}</span>
            {(item.message ?? item.title) && (
              <span className="block text-small text-soft">{item.message ?? item.title}</span>
            )}
          </li>
        ))}
        {count > list.length && (
          <li className="border-t border-line px-3 py-1.5 text-soft">and {formatCount(count - list.length)} more</li>
        )}
      </ul>
    </div>
  )
}
