import { Link } from '@remix-run/react'
import { product } from '../product'

/** The product's logo and name. */
export function Brand({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-2 text-[1rem] font-[650] tracking-tight text-text no-underline"
    >
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className="fill-accent">
        <rect x="1" y="3" width="11" height="4" rx="1.5" />
        <rect x="1" y="8.5" width="18" height="4" rx="1.5" className="fill-mark-line" />
        <rect x="1" y="14" width="15" height="4" rx="1.5" />
      </svg>
      {product.name}
    </Link>
  )
}
