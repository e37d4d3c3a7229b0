import { Form, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Dialog } from './dialog'
import { DialogActions } from './dialog-actions'

interface ConfirmDialogProps {
  title: string
  /** What goes and what stays. */
  children: ReactNode
  confirm: string
  closeTo: string
  /** Sent as they are. */
  values: Record<string, string>
}

/** One explicit question before something is destroyed. */
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
