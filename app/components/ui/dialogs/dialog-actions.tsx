import type { ReactNode } from 'react'
import type { ButtonVariant } from '../button'
import { Button, LinkButton } from '../button'

interface DialogActionsProps {
  closeTo: string
  submit: string
  variant?: ButtonVariant
  pending: boolean
  intent?: string
  /** Other actions on the form. */
  children?: ReactNode
}

/** The last row of a dialog, which stays in view while the rest scrolls. */
export function DialogActions({ closeTo, submit, variant = 'primary', pending, intent, children }: DialogActionsProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 mt-1 -mb-5 flex flex-wrap justify-end gap-2 border-line border-t bg-surface px-5 py-3.5">
      <LinkButton to={closeTo} replace preventScrollReset data-cancel>
        Cancel
      </LinkButton>
      {children}
      <Button variant={variant} pending={pending} name={intent && 'intent'} value={intent}>
        {submit}
      </Button>
    </div>
  )
}
