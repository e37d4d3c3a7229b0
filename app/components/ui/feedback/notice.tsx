import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../classes'

const kinds = {
  info: { icon: Info, variant: 'border-line bg-accent-soft text-accent-strong' },
  success: { icon: CircleCheck, variant: 'border-line bg-success-soft text-success' },
  warning: { icon: TriangleAlert, variant: 'border-line bg-warning-soft text-warning' },
  danger: { icon: CircleAlert, variant: 'border-line bg-danger-soft text-danger' },
} as const

interface NoticeProps {
  kind: keyof typeof kinds
  title: string
  children?: ReactNode
  action?: ReactNode
  className?: string
}

/** A message about the page that stays as long as it applies. */
export function Notice({ kind, title, children, action, className }: NoticeProps) {
  const { icon: Icon, variant } = kinds[kind]
  return (
    <div
      className={classes(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-medium border px-4 py-3',
        variant,
        className,
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold">{title}</p>
        {children && <div className="mt-0.5 text-text">{children}</div>}
      </div>
      {action}
    </div>
  )
}
