import { Form, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog'
import { DialogActions } from './dialog-actions'

interface ConfirmDialogProps {
  title: string
  /** What will be deleted, and what will not. */
  children: ReactNode
  confirm: string
  closeTo: string
  /** Hidden fields. */
  values: Record<string, string>
}

/** Asks for confirmation before something is deleted. */
export function ConfirmDialog({ title, children, confirm, closeTo, values }: ConfirmDialogProps) {
  const navigation = useNavigation()
  return (
    <Dialog title={title} description={children} closeTo={closeTo}>
      <Form method="post" replace>
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <DialogActions closeTo={closeTo} submit={confirm} look="danger" pending={navigation.state === 'submitting'} />
      </Form>
    </Dialog>
  )
}
