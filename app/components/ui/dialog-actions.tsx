import type { ButtonLook } from './button'
import { Button, LinkButton } from './button'

interface DialogActionsProps {
  closeTo: string
  submit: string
  look?: ButtonLook
  pending: boolean
  intent?: string
}

/** A dialog's last row. */
export function DialogActions({ closeTo, submit, look = 'primary', pending, intent }: DialogActionsProps) {
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-2">
      <LinkButton to={closeTo} replace preventScrollReset>
        Cancel
      </LinkButton>
      <Button look={look} pending={pending} name={intent && 'intent'} value={intent}>
        {submit}
      </Button>
    </div>
  )
}
