import { useState } from 'react'
import type { ProviderView } from '../../../contract/views/chat/agent'
import { Button } from '../ui/button'
import { controlProps, FieldFrame, type FormField, useEditedField } from '../ui/forms/field'

interface KeyFieldProps {
  field: FormField
  label?: string
  /** The stored key, masked except for its last four characters; null without one. */
  stored: string | null
  fallback?: KeyFallback
}

/** What requests use if no key is stored here: a key of somebody else, or none, for a configured server's address. */
export type KeyFallback = 'organization' | 'server' | 'address' | null

/** What the server's configuration has for a provider. */
export function configuredFallback(provider: ProviderView | null): KeyFallback {
  return provider?.configured === 'key' ? 'server' : (provider?.configured ?? null)
}

function hintOf(stored: string | null, fallback: KeyFallback): string {
  if (stored) return `Stored: ${stored}. Leave empty to keep it.`
  switch (fallback) {
    case null:
      return 'Stored encrypted and never shown again in full.'
    case 'address':
      return 'Optional if the configured server needs no key: requests are sent without one.'
    default:
      return `The ${fallback} has a key for this provider. A key that you enter here takes precedence.`
  }
}

/** A field for a provider's key. The stored key is never sent back; an empty field keeps it. */
export function KeyField({ field: initial, label = 'Provider API key', stored, fallback = null }: KeyFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  const { field, onInput } = useEditedField(initial)
  const hint = hintOf(stored, fallback)
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <div className="flex gap-2">
        <input
          key={field.key}
          {...controlProps(field, true)}
          defaultValue=""
          type={isVisible ? 'text' : 'password'}
          autoComplete="off"
          spellCheck={false}
          onInput={onInput}
          placeholder={stored ?? undefined}
        />
        <Button
          type="button"
          className="needs-script shrink-0"
          onClick={() => setIsVisible(!isVisible)}
          aria-pressed={isVisible}
        >
          {isVisible ? 'Hide' : 'Show'}
        </Button>
      </div>
      {stored && (
        <label className="flex items-center gap-2 text-meta">
          <input type="checkbox" name="remove_key" />
          Remove the stored key
        </label>
      )}
    </FieldFrame>
  )
}
