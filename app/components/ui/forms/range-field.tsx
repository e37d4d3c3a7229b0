import { useState } from 'react'
import { controlProps, FieldFrame, type FormField } from './field'

interface RangeFieldProps {
  field: FormField
  label: string
  hint: string
  range: { min: number; max: number; step: number }
}

/** A slider that shows its value. */
export function RangeField({ field, label, hint, range }: RangeFieldProps) {
  const [value, setValue] = useState(String(field.initialValue ?? range.min))
  return (
    <FieldFrame field={field} label={label} hint={hint} required>
      <div className="flex items-center gap-3">
        <input
          key={field.key}
          {...controlProps(field, true)}
          {...range}
          type="range"
          onInput={(event) => setValue(event.currentTarget.value)}
          className="h-8 min-w-0 flex-1"
        />
        <output htmlFor={field.id} className="w-14 text-right font-medium tabular-nums">
          {value}
        </output>
      </div>
    </FieldFrame>
  )
}
