import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { type FormState, field, notice } from './fields'
import { html } from './html'
import type { Page } from './layout'
import { passkeyForm } from './passkey'

/** `address` is the path of the interaction. `options` is null for an account without passkeys. */
export function secondStepPage(
  address: string,
  state: FormState,
  { authenticator, options }: { authenticator: boolean; options: PublicKeyCredentialRequestOptionsJSON | null },
): Page {
  const hint = authenticator ? 'The 6 digits of your authenticator app, or a recovery code.' : undefined
  const code = { name: 'code', label: authenticator ? 'Code' : 'Recovery code', autocomplete: 'one-time-code', hint }
  const body = html`<h1>Confirm that it is you</h1>
<p class="soft">Your account has a second factor.</p>
${notice(state)}
${options && passkeyForm(`${address}/second-step`, options, { label: 'Use a passkey', isPrimary: true })}
<form method="post" action="${address}/second-step" novalidate>
${field(state, { ...code, maxlength: 64 }, options === null || state.errors.code !== undefined)}
<button${options && html` class="second"`}>Continue</button>
</form>
<p class="aside"><a href="${address}?screen=login">Back to Log in</a><span>No code and no passkey? Ask an administrator of this site.</span></p>`
  return { title: 'Confirm that it is you', body, script: options ? 'passkey' : undefined }
}
