import type { LucideIcon } from 'lucide-react'
import { type ButtonVariant, buttonClasses, LinkButton } from './button'
import { Tooltip } from './floating/tooltip'

interface AllowedLinkProps {
  allowed: boolean
  /** Why it is not allowed. */
  reason: string
  to: string
  variant?: ButtonVariant
  icon?: LucideIcon
  children: string
  /** An accessible name that says more than the word: 'Delete Lamp manuals'. */
  label?: string
}

/** A link to an action. If it is not allowed, the same button disabled, with the reason in a tooltip. */
export function AllowedLink({ allowed, reason, to, variant, icon: Icon, children, label }: AllowedLinkProps) {
  const content = (
    <>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </>
  )
  if (allowed) {
    return (
      <LinkButton to={to} variant={variant} aria-label={label} preventScrollReset>
        {content}
      </LinkButton>
    )
  }
  return (
    <Tooltip text={reason}>
      {(described) => (
        <button type="button" aria-disabled="true" aria-label={label} className={buttonClasses(variant)} {...described}>
          {content}
        </button>
      )}
    </Tooltip>
  )
}
