import type { LucideIcon } from 'lucide-react'
import { type ButtonLook, buttonClasses, LinkButton } from './button'
import { Tooltip } from './floating/tooltip'

interface AllowedLinkProps {
  allowed: boolean
  /** Why it is not allowed. */
  reason: string
  to: string
  look?: ButtonLook
  icon?: LucideIcon
  children: string
  /** An accessible name that says more than the word: 'Delete Lamp manuals'. */
  label?: string
}

/** A link to an action. If it is not allowed, the same button disabled, with the reason in a tooltip. */
export function AllowedLink({ allowed, reason, to, look, icon: Icon, children, label }: AllowedLinkProps) {
  const content = (
    <>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </>
  )
  if (allowed) {
    return (
      <LinkButton to={to} look={look} aria-label={label} preventScrollReset>
        {content}
      </LinkButton>
    )
  }
  return (
    <Tooltip text={reason}>
      {(described) => (
        <button type="button" aria-disabled="true" aria-label={label} className={buttonClasses(look)} {...described}>
          {content}
        </button>
      )}
    </Tooltip>
  )
}
