import type { LucideIcon } from 'lucide-react'
import { type ButtonLook, buttonClasses, LinkButton } from './button'
import { Tooltip } from './tooltip'

interface AllowedLinkProps {
  allowed: boolean
  /** Why not, when it is not. */
  reason: string
  to: string
  look?: ButtonLook
  icon?: LucideIcon
  children: string
  /** What a bare word does not say: 'Delete Lamp manuals'. */
  label?: string
}

/** A way to an action; without the right to it, the same words disabled with the reason beside them. */
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
