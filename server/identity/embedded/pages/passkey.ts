import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { type Html, html } from './html'

/** A form that the browser's passkey fills in. Without scripts, it stays hidden. */
export function passkeyForm(
  action: string,
  options: PublicKeyCredentialRequestOptionsJSON,
  { label, isPrimary }: { label: string; isPrimary: boolean },
): Html {
  return html`<form method="post" action="${action}" id="passkey" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="credential">
<p class="error" id="passkey-error" role="alert" hidden>Your browser did not use a passkey. Try again, or continue without.</p>
<button${!isPrimary && html` class="second"`}>${label}</button>
</form>`
}

/** Runs in the browser. */
export const passkeyScript = `
const form = document.getElementById('passkey')
form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const failed = document.getElementById('passkey-error')
  failed.hidden = true
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options))
    const credential = await navigator.credentials.get({ publicKey })
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    failed.hidden = false
  }
})`
