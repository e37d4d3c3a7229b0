import { Link } from '@remix-run/react'
import { paths } from '../paths'
import { product } from '../product'

export function PublicFooter({ year }: { year: number }) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-5 text-meta text-soft sm:px-6">
        <p>
          © {year} {product.name}
        </p>
        <Link to={paths.terms()} className="hover:underline">
          Terms of Service
        </Link>
        <Link to={paths.help()} className="hover:underline">
          Help
        </Link>
      </div>
    </footer>
  )
}
