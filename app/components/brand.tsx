import { Link } from '@remix-run/react'
import { product } from '../product'

/** The product's logo and name. */
export function Brand({ to }: { to: string }) {
  return (
    <Link to={to} className="inline-flex items-center gap-2 text-[1rem] font-[650] text-text no-underline">
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className="fill-accent">
        <rect x="1" y="3" width="11" height="4" rx="2" />
        <rect x="1" y="8.5" width="18" height="4" rx="2" opacity=".6" />
        <rect x="1" y="14" width="7" height="4" rx="2" opacity=".35" />
      </svg>
      {product.name}
    </Link>
  )
}
