import { passwordLength } from '../../../../contract/values/limits'
import { type FormState, field, notice } from './fields'
import { html } from './html'
import type { Page } from './layout'
import { messagePage } from './messages'

/** `at` is the path of the interaction, under which its pages are. */
export function forgotMailPage(address: string, state: FormState): Page {
  return emailPage(state, {
    title: 'Forgot your password?',
    text: 'Enter the e-mail address of your account, and we will send you a link to choose a new password.',
    action: `${address}/forgot`,
    button: 'Send the link',
    aside: html`<a href="${address}?screen=login">Back to Log in</a>`,
  })
}

/** The first step of a sign-up: the account is created with the link in the mail, by whoever reads it. */
export function signUpMailPage(address: string, state: FormState): Page {
  return emailPage(state, {
    title: 'Create an account',
    text: 'Enter your e-mail address, and we will send you a link to continue.',
    action: `${address}/sign-up`,
    button: 'Continue',
    aside: html`<span>Have an account? <a href="${address}?screen=login">Log in</a></span>`,
  })
}

/** The same for every address, whether it has an account or not. */
export function mailSentPage(purpose: 'reset' | 'sign-up', address: string, email: string): Page {
  const sentence =
    purpose === 'reset'
      ? `If ${email} has an account here, we sent it a link to choose a new password.`
      : `We sent a link to ${email}. Open it to continue.`
  const patience = 'It can take a few minutes to arrive. If you do not see it, check your spam folder.'
  return messagePage('Check your e-mail', [sentence, patience], {
    href: `${address}?screen=login`,
    label: 'Back to Log in',
  })
}

/** Asks for the password: whoever owns the address must not confirm an account that someone else created with it. */
export function confirmAddressPage(email: string, token: string, state: FormState): Page {
  const body = html`<h1>Confirm your address</h1>
<p class="soft">Enter your password to confirm that ${email} is the address of your account.</p>
${notice(state)}
<form method="post" action="/verification" novalidate>
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>
${field(state, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxlength: passwordLength.max }, true)}
<button>Confirm address</button>
</form>`
  return { title: 'Confirm your address', body }
}

export function addressConfirmedPage(): Page {
  return messagePage('Your e-mail address is confirmed', ['You can log in now.'], { href: '/login', label: 'Log in' })
}

interface EmailPage {
  title: string
  text: string
  action: string
  button: string
  aside: ReturnType<typeof html>
}

function emailPage(state: FormState, { title, text, action, button, aside }: EmailPage): Page {
  const body = html`<h1>${title}</h1>
<p class="soft">${text}</p>
${notice(state)}
<form method="post" action="${action}" novalidate>
${field(state, { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' }, true)}
<button>${button}</button>
</form>
<p class="aside">${aside}</p>`
  return { title, body }
}
