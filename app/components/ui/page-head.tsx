import { Link } from '@remix-run/react'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes'

interface PageHeadProps {
  title: string
  /** Before the title. */
  mark?: ReactNode
  /** Next to the title. */
  badge?: ReactNode
  description?: ReactNode
  back?: { to: string; label: string }
  /** What phones show in place of the rest, under title and badge in two low lines. */
  compact?: ReactNode
  children?: ReactNode
}

/** The title of a page with its back link and actions. */
export function PageHead({ title, mark, badge, description, back, compact, children }: PageHeadProps) {
  const isCompact = compact !== undefined
  return (
    <header className={isCompact ? 'mb-5 max-sm:-mt-3 max-sm:mb-2' : 'mb-5'}>
      {back && (
        <Link
          to={back.to}
          className={classes(
            'mb-1.5 -ml-1 inline-flex items-center gap-0.5 text-meta text-accent-strong hover:underline',
            isCompact && 'max-sm:hidden',
          )}
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
          {back.label}
        </Link>
      )}
      <div
        className={classes(
          'flex flex-wrap items-start justify-between gap-x-4 gap-y-3',
          isCompact && 'max-sm:flex-nowrap max-sm:items-center max-sm:gap-x-2',
        )}
      >
        <div className={classes('min-w-0', isCompact && 'max-sm:flex-1')}>
          <div
            className={classes(
              'flex flex-wrap items-center gap-x-2.5 gap-y-1',
              isCompact && 'max-sm:gap-y-0 max-sm:[&>span]:py-0 max-sm:[&>span]:leading-[18px]',
            )}
          >
            {mark}
            <h1
              className={classes(
                'min-w-0 break-words text-title font-semibold tracking-tight',
                isCompact && 'max-sm:w-full max-sm:truncate max-sm:text-[1rem]',
              )}
            >
              {title}
            </h1>
            {badge}
          </div>
          {description && (
            <p className={classes('mt-0.5 max-w-prose text-pretty text-soft', isCompact && 'max-sm:hidden')}>
              {description}
            </p>
          )}
        </div>
        {compact}
        <div className={classes('flex flex-wrap items-center gap-2', isCompact && 'max-sm:hidden')}>{children}</div>
      </div>
    </header>
  )
}
