import { useNavigation } from '@remix-run/react'
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Spinner } from '../button'
import { Tooltip } from '../floating/tooltip'
import { OrganizationForm } from '../forms/organization-form'

export interface IntentButtonProps {
  /** Id of the object that the action works on. */
  id: string
  intent: string
  icon: LucideIcon
  children: string
  /** Accessible name, which begins with the visible word: 'Pause Lamps'. */
  label: string
  /** Why the action is not possible; null if it is. */
  reason: string | null
  className: string
  isMenuItem?: boolean
}

/**
 * A form with one button, which sends `intent` and `id`. The button stays the same element when its action changes or is
 * disabled, so that it keeps the focus. The second click of a double click is ignored, because the action may have
 * changed by then.
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
    <OrganizationForm preventScrollReset replace className={isMenuItem ? undefined : 'inline-flex'}>
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
    </OrganizationForm>
  )
}
