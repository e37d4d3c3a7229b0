import { Form, useNavigation } from '@remix-run/react'
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Spinner } from './button'
import { Tooltip } from './tooltip'

export interface IntentButtonProps {
  /** What the action works on. */
  id: string
  intent: string
  icon: LucideIcon
  children: string
  /** Says more than the visible word, and begins with it: 'Pause Lamps'. */
  label: string
  /** Why the action is not possible now; null when it is. */
  reason: string | null
  className: string
  isMenuItem?: boolean
}

/**
 * A form of one button, which sends `intent` and `id`. It stays the same element whatever it does, enabled or not, so
 * that it keeps the focus. Only the first click of a double click counts: by the second one it may do something else.
 */
export function IntentButton(props: IntentButtonProps) {
  const { id, intent, icon: Icon, children, label, reason, className, isMenuItem } = props
  const { formData } = useNavigation()
  const isPending = formData?.get('intent') === intent && formData.get('id') === id
  const isDisabled = isPending || reason !== null

  function ignoreRepeated(event: MouseEvent) {
    if (isDisabled || event.detail > 1) event.preventDefault()
  }

  return (
    <Form method="post" preventScrollReset replace className={isMenuItem ? undefined : 'inline-flex'}>
      <input type="hidden" name="id" value={id} />
      <Tooltip text={reason} className={isMenuItem ? 'flex' : undefined}>
        {(described) => (
          <button
            type={isDisabled ? 'button' : 'submit'}
            name="intent"
            value={intent}
            aria-label={label}
            aria-disabled={isDisabled || undefined}
            aria-busy={isPending || undefined}
            data-menu-item={isMenuItem || undefined}
            onClick={ignoreRepeated}
            className={className}
            {...described}
          >
            {isPending ? <Spinner /> : <Icon aria-hidden="true" />}
            {children}
          </button>
        )}
      </Tooltip>
    </Form>
  )
}
