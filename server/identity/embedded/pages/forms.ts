import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { passwordLength } from '../../../../contract/values/limits'
import { type FormState, field, newPasswordField, notice } from './fields'
import { html } from './html'
import type { Page } from './layout'
import { passkeyForm } from './passkey'

/** What the product is for, in one line. */
const purpose = html`<p class="soft">Answers from your own pages, each with its source.</p>`

/** `address` is the path of the interaction, under which its pages are. With `passkey`, one can be used instead. */
export function signInPage(
  address: string,
  state: FormState,
  passkey: PublicKeyCredentialRequestOptionsJSON | null,
): Page {
  const emailFirst = !state.errors.password
  const body = html`<h1>Log in</h1>
${purpose}
${notice(state)}
<form method="post" action="${address}" novalidate>
${field(state, { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' }, emailFirst)}
${field(state, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxlength: passwordLength.max }, !emailFirst)}
<button>Log in</button>
</form>
${passkey && passkeyForm(`${address}/passkey`, passkey, { label: 'Log in with a passkey', isPrimary: false })}
<p class="aside"><a href="${address}/sign-up">Create an account</a><a href="${address}/forgot">Forgot your password?</a></p>`
  return { title: 'Log in', body, script: passkey ? 'passkey' : undefined }
}

export interface SignUpFrame {
  at: string
  /** Whether this account sets up the site and becomes its administrator. */
  setup: boolean
  /** The e-mail address of the invitation. */
  invited: string | null
}

export function signUpPage({ at, setup, invited }: SignUpFrame, state: FormState): Page {
  const broken = Object.keys(state.errors)[0] ?? (invited ? 'name' : 'email')
  const body = html`<h1>${setup ? 'Set up Sitelore' : 'Create an account'}</h1>
${setup ? html`<p class="soft">Answers from your own pages, each with its source. The first account administers this site.</p>` : purpose}
${notice(state)}
<form method="post" action="${at}/sign-up" novalidate>
${field(
  invited ? { ...state, values: { ...state.values, email: invited } } : state,
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', readonly: invited !== null },
  broken === 'email',
)}
<div class="pair">
${field(state, { name: 'name', label: 'Name', autocomplete: 'given-name', required: false, maxlength: 64 }, broken === 'name')}
${field(state, { name: 'surname', label: 'Surname', autocomplete: 'family-name', required: false, maxlength: 64 }, broken === 'surname')}
</div>
${newPasswordField(state, 'Password', broken === 'password')}
<button>Create account</button>
</form>
<p class="aside"><span>Have an account? <a href="${at}?screen=login">Log in</a></span></p>`
  return { title: setup ? 'Set up' : 'Create an account', body }
}

export function newPasswordPage(email: string, token: string, state: FormState): Page {
  const body = html`<h1>Choose a new password</h1>
<p class="soft">For ${email}. This ends all sessions of the account.</p>
${notice(state)}
<form method="post" action="/reset" novalidate>
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>
${newPasswordField(state, 'New password', true)}
<button>Save password</button>
</form>`
  return { title: 'New password', body }
}
