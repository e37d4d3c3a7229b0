import type { ChangeEvent, ReactNode } from 'react'
import { controlProps, FieldFrame, type FormField, useEditedField } from './field'

interface SelectFieldProps {
  field: FormField
  label: string
  hint?: ReactNode
  required?: boolean
  options: readonly { value: string; label: string }[]
  /** First option, which means that nothing is chosen. */
  placeholder?: string
  /** Gets the focus when its dialog opens. */
  isFocused?: boolean
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void
}

export function SelectField({
  field: initial,
  label,
  hint,
  required,
  options,
  placeholder,
  isFocused,
  onChange,
}: SelectFieldProps) {
  const { field, onInput } = useEditedField(initial)
  return (
    <FieldFrame field={field} label={label} hint={hint} required={required}>
      <select
        key={field.key}
        {...controlProps(field, hint !== undefined)}
        required={required}
        data-focus={isFocused || undefined}
        onChange={onChange}
        onInput={onInput}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
