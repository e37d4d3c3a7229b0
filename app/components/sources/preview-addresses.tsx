import { formatCount } from '../ui/format'
import type { PreviewAddress } from './preview-state'

interface PreviewAddressesProps {
  title: 'In' | 'Out'
  /** The first of them. */
  list: PreviewAddress[]
  total: number
}

/** The addresses themselves, each one that is out with its reason. */
export function PreviewAddresses({ title, list, total }: PreviewAddressesProps) {
  const many = Math.max(total, list.length)
  if (many === 0) return null
  return (
    <div>
      <h4 className="mb-1 font-[570]">
        {title} <span className="font-normal text-soft">{formatCount(many)}</span>
      </h4>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
        tabIndex={0}
        aria-label={title === 'In' ? 'Addresses that are in' : 'Addresses that are out'}
        className="max-h-56 overflow-y-auto overscroll-contain rounded-small border border-line"
      >
        {list.map((one) => (
          <li key={one.address} className="border-t border-line px-3 py-1.5 first:border-t-0">
            <span className="break-all">{one.address}</span>
            {(one.message ?? one.title) && (
              <span className="block text-small text-soft">{one.message ?? one.title}</span>
            )}
          </li>
        ))}
        {many > list.length && (
          <li className="border-t border-line px-3 py-1.5 text-soft">and {formatCount(many - list.length)} more</li>
        )}
      </ul>
    </div>
  )
}
