import { formatCount } from '../../ui/format'
import type { PreviewAddress } from './state'

interface PreviewAddressesProps {
  title: 'Included' | 'Excluded' | 'Links to other sites'
  /** The first ones; `total` counts all. */
  list: PreviewAddress[]
  total: number
}

const labels = {
  Included: 'Included addresses',
  Excluded: 'Excluded addresses',
  'Links to other sites': 'Links to other sites',
}

/** The reason or the title. The heading says why links to other sites are excluded. */
function detailOf({ message, title }: PreviewAddress, list: PreviewAddressesProps['title']): string | null {
  return list === 'Links to other sites' ? null : (message ?? title ?? null)
}

/** Lists addresses of a preview, excluded ones with their reason. */
export function PreviewAddresses({ title, list, total }: PreviewAddressesProps) {
  const count = Math.max(total, list.length)
  if (count === 0) return null
  return (
    <div>
      <h4 className="mb-1 font-medium">
        {title} <span className="font-normal text-soft">{formatCount(count)}</span>
      </h4>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={labels[title]}
        className="max-h-56 overflow-y-auto overscroll-contain rounded-small border border-line"
      >
        {list.map((item) => {
          const detail = detailOf(item, title)
          return (
            <li key={item.address} className="border-t border-line px-3 py-1.5 first:border-t-0">
              <span className="break-all">{item.address}</span>
              {detail && <span className="block text-meta text-soft">{detail}</span>}
            </li>
          )
        })}
        {count > list.length && (
          <li className="border-t border-line px-3 py-1.5 text-soft">and {formatCount(count - list.length)} more</li>
        )}
      </ul>
    </div>
  )
}
