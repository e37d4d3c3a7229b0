import { Link } from '@remix-run/react'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'

interface PageHeadProps {
  title: string
  /** Next to the title. */
  badge?: ReactNode
  description?: ReactNode
  back?: { to: string; label: string }
  children?: ReactNode
}

/** The title of a page with its back link and actions. */
export function PageHead({ title, badge, description, back, children }: PageHeadProps) {
  return (
    <header className="mb-5">
      {back && (
        <Link
          to={back.to}
          className="mb-1.5 -ml-1 inline-flex items-center gap-0.5 text-small text-accent-strong hover:underline"
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="min-w-0 break-words text-title font-[650] tracking-tight">{title}</h1>
            {badge}
          </div>
          {description && <p className="mt-0.5 max-w-prose text-soft">{description}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">{children}</div>
      </div>
    </header>
  )
}
