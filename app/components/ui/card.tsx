import type { ReactNode } from 'react'
import { classes } from './classes'

interface CardProps {
  children: ReactNode
  className?: string
  label?: string
  /** For links to it. */
  id?: string
}

export function Card({ children, className, label, id }: CardProps) {
  return (
    <section
      id={id}
      aria-label={label}
      className={classes('overflow-clip rounded-large border border-line bg-surface shadow-low', className)}
    >
      {children}
    </section>
  )
}

/** The first row of a card: title, count and actions. */
export function CardHead({ title, count, children }: { title: string; count?: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3">
      <h2 className="text-section font-semibold">
        {title}
        {count !== undefined && <span className="ml-2 font-normal text-base text-soft">{count}</span>}
      </h2>
      <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}
