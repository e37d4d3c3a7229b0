import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  /** The next thing to do. */
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent-strong">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <p className="mt-1 font-semibold text-[0.9375rem]">{title}</p>
      {children && <div className="max-w-md text-balance text-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
