import { type FormEvent, type ReactNode, useState } from 'react'
import { classes } from '../classes'
import { formatCount } from '../format'

export const controlClasses =
  'w-full rounded-small border border-line-strong bg-surface px-2.5 py-1.5 text-text aria-[invalid]:border-danger'

/** The properties of a form library's field that controls use. */
export interface FormField {
  id: string
  name: string
  key?: string
  formId: string
  errorId: string
  descriptionId: string
  errors?: string[]
  initialValue?: unknown
}

interface FieldProps {
  field: FormField
  label: string
  hint?: ReactNode
  required?: boolean
  /** Shows a character count. */
  maxLength?: number
  placeholder?: string
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'url' | 'search' | 'number' | 'password'
  /** Which keyboard a phone shows. */
  inputMode?: 'numeric'
  step?: number
  min?: number
  max?: number
  /** Makes it a text area. */
  rows?: number
  autoComplete?: string
  /** Id of a datalist with suggestions. */
  list?: string
  /** For the first field of a page that is a form. */
  autoFocus?: boolean
}

/** The attributes of any control. No maxlength: it would silently truncate pasted text. */
export function controlProps(field: FormField, hint: boolean) {
  return {
    id: field.id,
    name: field.name,
    form: field.formId,
    defaultValue: field.initialValue === undefined ? undefined : String(field.initialValue),
    autoFocus: field.errors !== undefined,
    'aria-invalid': field.errors ? true : undefined,
    'aria-describedby': describedBy(field, hint),
    className: controlClasses,
  }
}

/** Hides the errors of a field from the first input on, until it has other ones. */
export function useEditedField<Field extends FormField>(initial: Field): { field: FormField; onInput: () => void } {
  const [seen, setSeen] = useState<string[] | undefined>()
  const isEdited = seen !== undefined && seen === initial.errors
  const { id, name, key, formId, errorId, descriptionId, errors, initialValue } = initial
  const field = { id, name, key, formId, errorId, descriptionId, initialValue, errors: isEdited ? undefined : errors }
  return { field, onInput: () => setSeen(initial.errors) }
}

/** A text field with label, hint, errors, and a character count if it has a limit. */
export function TextField({
  field: initial,
  label,
  hint,
  maxLength,
  rows,
  type = 'text',
  required,
  autoFocus,
  ...rest
}: TextFieldProps) {
  const [length, setLength] = useState(String(initial.initialValue ?? '').length)
  const { field, onInput } = useEditedField(initial)
  const shared = {
    ...rest,
    required,
    ...controlProps(field, hint !== undefined),
    autoFocus: autoFocus || initial.errors !== undefined,
    onInput: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setLength(event.currentTarget.value.length)
      onInput()
    },
  }
  return (
    <FieldFrame
      field={field}
      label={label}
      hint={hint}
      required={required}
      count={maxLength ? { length, max: maxLength } : undefined}
    >
      {rows ? <textarea key={field.key} {...shared} rows={rows} /> : <input key={field.key} {...shared} type={type} />}
    </FieldFrame>
  )
}

interface FieldFrameProps {
  field: FormField
  label: string
  hint?: ReactNode
  required?: boolean
  count?: { length: number; max: number }
  children: ReactNode
}

/** The label, hint and errors around any control. */
export function FieldFrame({ field, label, hint, required, count, children }: FieldFrameProps) {
  return (
    <div className="grid content-start gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={field.id} className="font-medium">
          {label}
          {!required && <span className="ml-1.5 font-normal text-meta text-soft">optional</span>}
        </label>
        {count && (
          <span className={classes('text-meta tabular-nums', count.length > count.max ? 'text-danger' : 'text-soft')}>
            {formatCount(count.length)} / {formatCount(count.max)}
          </span>
        )}
      </div>
      {children}
      {hint && (
        <p id={field.descriptionId} className="text-meta text-soft">
          {hint}
        </p>
      )}
      <FieldErrors id={field.errorId} errors={field.errors} />
    </div>
  )
}

export function FieldErrors({ id, errors }: { id: string; errors: string[] | undefined }) {
  return (
    <p id={id} role={errors ? 'alert' : undefined} className="text-meta font-medium text-danger empty:hidden">
      {errors?.join(' ')}
    </p>
  )
}

function describedBy(field: FormField, hint: boolean): string | undefined {
  return [hint && field.descriptionId, field.errors && field.errorId].filter(Boolean).join(' ') || undefined
}
