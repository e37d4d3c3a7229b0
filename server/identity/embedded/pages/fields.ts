import { passwordLength } from '../../../../contract/values/limits'
import { type Html, html } from './html'

/** Submitted values and errors, to show the form again. Passwords are never sent back. */
export interface FormState {
  values: Record<string, string>
  errors: Record<string, string>
  /** Shown above the form: an error of no single field. */
  notice?: string
}

export const emptyForm: FormState = { values: {}, errors: {} }

interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  required?: boolean
  readonly?: boolean
  hint?: string
  maxlength?: number
}

export function field(
  state: FormState,
  { name, label, type = 'text', required = true, ...more }: Field,
  first: boolean,
): Html {
  const error = state.errors[name]
  const describedBy = [error && `${name}-error`, more.hint && `${name}-hint`].filter(Boolean).join(' ')
  const value = type === 'password' ? '' : (state.values[name] ?? '')
  return html`<div class="field">
<label for="${name}">${label}${!required && html` <span class="optional">(optional)</span>`}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${more.autocomplete}" maxlength="${more.maxlength ?? 254}"${required && html` required`}${more.readonly && html` readonly`}${first && html` autofocus`}${error && html` aria-invalid="true"`}${describedBy && html` aria-describedby="${describedBy}"`}>
${error && html`<p class="error" id="${name}-error">${error}</p>`}
${more.hint && html`<p class="hint" id="${name}-hint">${more.hint}</p>`}
</div>`
}

export function notice({ notice: text }: FormState): Html | undefined {
  return text === undefined ? undefined : html`<p class="notice" role="alert">${text}</p>`
}

export function newPasswordField(state: FormState, label: string, first: boolean): Html {
  const hint = `At least ${passwordLength.min} characters. A few unrelated words make a good one.`
  return field(
    state,
    { name: 'password', label, type: 'password', autocomplete: 'new-password', maxlength: passwordLength.max, hint },
    first,
  )
}
