import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { ButtonVariant } from '../button'
import { OrganizationForm } from '../forms/organization-form'
import { Dialog } from './dialog'
import { DialogActions } from './dialog-actions'

interface ConfirmDialogProps {
  title: string
  /** What will be deleted, and what will not. */
  children: ReactNode
  confirm: string
  variant?: ButtonVariant
  closeTo: string
  /** Hidden fields. */
  values: Record<string, string>
}

/** Asks for confirmation, by default before something is deleted. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  variant = 'danger-solid',
  closeTo,
  values,
}: ConfirmDialogProps) {
  const navigation = useNavigation()
  return (
    <Dialog title={title} description={children} closeTo={closeTo}>
      <OrganizationForm replace>
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <DialogActions
          closeTo={closeTo}
          submit={confirm}
          variant={variant}
          pending={navigation.state === 'submitting'}
        />
      </OrganizationForm>
    </Dialog>
  )
}
