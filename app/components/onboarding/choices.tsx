import { useState } from 'react'
import { lengths } from '../../../contract/values/limits'
import { controlClasses, FieldErrors, type FormField, useEditedField } from '../ui/forms/field'
import { SelectField } from '../ui/forms/select-field'
import { labelOf } from './labels'

interface ChoicesProps {
  field: FormField
  legend: string
  values: readonly string[]
}

/** A question with any number of answers, at least one. 'Other' has a field for free text. */
export function Choices({ field: initial, legend, values }: ChoicesProps) {
  const { field, onInput } = useEditedField(initial)
  const answers = answersOf(field)
  const [isOtherChosen, setIsOtherChosen] = useState(answers.some(isOther))
  return (
    <fieldset aria-describedby={field.errors ? field.errorId : undefined} onInput={onInput}>
      <legend className="mb-2 font-semibold">
        {legend} <span className="font-normal text-meta text-soft">*Required*</span>
      </legend>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {values.map((value, index) => (
          <label
            key={value}
            className="flex cursor-pointer items-center gap-2.5 rounded-small border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              id={index === 0 ? field.id : undefined}
              name={field.name}
              value={value}
              defaultChecked={value === 'other' ? answers.some(isOther) : answers.includes(value)}
              onChange={(event) => {
                if (value === 'other') setIsOtherChosen(event.currentTarget.checked)
              }}
            />
            {labelOf(value)}
          </label>
        ))}
      </div>
      {values.includes('other') && <OtherText name={field.name} answers={answers} isShown={isOtherChosen} />}
      <FieldErrors id={field.errorId} errors={field.errors} />
    </fieldset>
  )
}

/** A question with one answer. 'Other' has a field for free text. */
export function Choice({ field, legend, values }: ChoicesProps) {
  const answers = answersOf(field)
  const [isOtherChosen, setIsOtherChosen] = useState(answers.some(isOther))
  const initialValue = answers.some(isOther) ? 'other' : (answers[0] ?? '')
  return (
    <div>
      <SelectField
        field={{ ...fieldOf(field), initialValue }}
        label={legend}
        required
        placeholder="Choose one"
        options={values.map((value) => ({ value, label: labelOf(value) }))}
        onChange={(event) => setIsOtherChosen(event.currentTarget.value === 'other')}
      />
      {values.includes('other') && <OtherText name={field.name} answers={answers} isShown={isOtherChosen} />}
    </div>
  )
}

function OtherText({ name, answers, isShown }: { name: string; answers: string[]; isShown: boolean }) {
  return (
    <div hidden={!isShown} className="mt-2">
      <label className="grid gap-1">
        <span className="text-meta text-soft">Other, in your own words</span>
        <input
          name={`${name}_other`}
          maxLength={lengths.onboardingOther}
          defaultValue={answers.find(isOther)?.slice('other:'.length)}
          className={controlClasses}
        />
      </label>
    </div>
  )
}

/** The fields of a form library's field, which is a proxy that cannot be spread. */
function fieldOf({ id, name, key, formId, errorId, descriptionId, errors }: FormField): FormField {
  return { id, name, key, formId, errorId, descriptionId, errors }
}

function answersOf({ initialValue }: FormField): string[] {
  return [initialValue ?? []].flat().map(String)
}

function isOther(value: string): boolean {
  return value === 'other' || value.startsWith('other:')
}
