import { useState } from 'react'
import { Button } from '../ui/button'
import { controlProps, FieldFrame, type FormField } from '../ui/forms/field'

interface KeyFieldProps {
  field: FormField
  label?: string
  /** The stored key, masked except for its last four characters; null without one. */
  stored: string | null
  fallback?: KeyFallback
}

/** Whose key is used if none is stored here. */
export type KeyFallback = 'organization' | 'server' | null

/** A field for a provider's key. The stored key is never sent back; an empty field keeps it. */
export function KeyField({ field, label = 'Provider API key', stored, fallback = null }: KeyFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  const hint = stored
    ? `Stored: ${stored}. Leave empty to keep it.`
    : fallback
      ? `The ${fallback} has a key for this provider. A key entered here is used instead.`
      : 'Stored encrypted and never shown again in full.'
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
        <label className="flex items-center gap-2 text-small">
          <input type="checkbox" name="remove_key" />
          Remove the stored key
        </label>
      )}
    </FieldFrame>
  )
}
