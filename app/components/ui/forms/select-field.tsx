import type { ChangeEvent, ReactNode } from 'react'
import { controlProps, FieldFrame, type FormField } from './field'

interface SelectFieldProps {
  field: FormField
  label: string
  hint?: ReactNode
  required?: boolean
  options: readonly { value: string; label: string }[]
  /** First option, which means that nothing is chosen. */
  placeholder?: string
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void
}

export function SelectField({ field, label, hint, required, options, placeholder, onChange }: SelectFieldProps) {
  return (
    <FieldFrame field={field} label={label} hint={hint} required={required}>
      <select key={field.key} {...controlProps(field, hint !== undefined)} required={required} onChange={onChange}>
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
