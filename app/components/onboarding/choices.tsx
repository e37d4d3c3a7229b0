import { useState } from 'react'
import { lengths } from '../../../contract/limits'
import { controlClasses, FieldErrors, type FormField } from '../ui/forms/field'
import { labelOf } from './labels'

interface ChoicesProps {
  field: FormField
  legend: string
  values: readonly string[]
  /** 'radio' allows one answer, 'checkbox' any number. */
  kind: 'radio' | 'checkbox'
}

/** The answers to one question. 'Other' has a field for free text. */
export function Choices({ field, legend, values, kind }: ChoicesProps) {
  const answers = [field.initialValue ?? []].flat().map(String)
  const [isOtherChosen, setIsOtherChosen] = useState(answers.some(isOther))
  return (
    <fieldset aria-describedby={field.errors ? field.errorId : undefined}>
      <legend className="mb-2 font-[620]">{legend}</legend>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {values.map((value, index) => (
          <label
            key={value}
            className="flex cursor-pointer items-center gap-2.5 rounded-small border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type={kind}
              id={index === 0 ? field.id : undefined}
              name={field.name}
              value={value}
              defaultChecked={value === 'other' ? answers.some(isOther) : answers.includes(value)}
              onChange={(event) => {
                if (kind === 'radio' || value === 'other')
                  setIsOtherChosen(value === 'other' && event.currentTarget.checked)
              }}
            />
            {labelOf(value)}
          </label>
        ))}
      </div>
      {values.includes('other') && (
        <div hidden={!isOtherChosen} className="mt-2">
          <label className="grid gap-1">
            <span className="text-small text-soft">Other, in your own words</span>
            <input
              name={`${field.name}_other`}
              maxLength={lengths.onboardingOther}
              defaultValue={answers.find(isOther)?.slice('other:'.length)}
              className={controlClasses}
            />
          </label>
        </div>
      )}
      <FieldErrors id={field.errorId} errors={field.errors} />
    </fieldset>
  )
}

function isOther(value: string): boolean {
  return value === 'other' || value.startsWith('other:')
}
