import type { SignUpOffer } from '../sign-up-offer'
import { storageFullCode } from '../storage-full'
import { Html, html } from './html'
import type { Page } from './layout'

/** A heading, sentences, and the one next action. */
export function messagePage(
  title: string,
  sentences: (string | Html)[],
  action?: { href: string; label: string },
): Page {
  const body = html`<h1>${title}</h1>
${sentences.map((sentence) => html`<p class="soft">${sentence}</p>`)}
${action && html`<a class="button" href="${action.href}">${action.label}</a>`}`
  return { title, body }
}

const home = { href: '/', label: 'Back to the site' }
const logIn = { href: '/login', label: 'Log in' }

export function noSignUpPage(address: string, offer: Exclude<SignUpOffer, { kind: 'offered' }>): Page {
  if (offer.kind === 'not-set-up') {
    return messagePage('This site is not set up yet', [
      'To create the first account, open the set-up link that the server printed when it started.',
      html`To print a new link, run <code>npm run -s sitelore -- setup-link</code> on the server.`,
    ])
  }
  return messagePage(offer.title, [offer.message], { href: `${address}?screen=login`, label: 'Log in' })
}

export function forgotPage(address: string): Page {
  const sentences = [
    'Ask an administrator of this site for a link to choose a new password.',
    html`The administrator of the server creates one with <code>npm run -s sitelore -- users reset you@example.com</code>`,
  ]
  return messagePage('Forgot your password?', sentences, { href: `${address}?screen=login`, label: 'Back to Log in' })
}

export function stalePage(): Page {
  return messagePage(
    'This page has expired',
    ['The sign-in was completed or left open for too long. Start again.'],
    logIn,
  )
}

export function wrongOriginPage(): Page {
  return messagePage('Not sent from this site', ['The form came from another site, so nothing was changed.'], logIn)
}

export function setupGonePage(): Page {
  const sentences = [
    'This set-up link has expired or was replaced by a newer one, or the first account already exists.',
    html`Restart the server or run <code>npm run -s sitelore -- setup-link</code> to get a new one.`,
  ]
  return messagePage('This link no longer works', sentences, home)
}

export function linkGonePage(): Page {
  return messagePage('This link no longer works', ['It has expired or was already used. Request a new one.'], home)
}

export function passwordSavedPage(): Page {
  return messagePage('Your password was changed', ['You can log in with it now.'], logIn)
}

/** `form` is the form of oidc-provider, which has no button. */
export function signOutPage(form: string, ownSession: boolean): Page {
  const body = html`<h1>Log out?</h1>
<p class="soft">This ends your session in this browser.</p>
${new Html(form)}
<button form="op.logoutForm" name="logout" value="yes">Log out</button>
<p class="aside"><a href="/dashboard">Stay logged in</a></p>`
  return { title: 'Log out', body, script: ownSession ? 'submit' : undefined }
}

export function signedOutPage(): Page {
  return messagePage('You are logged out', ['See you soon.'], home)
}

export function failurePage(message: string): Page {
  return messagePage('Something went wrong', [message], logIn)
}

export function providerErrorPage({
  error,
  error_description: description,
}: {
  error: string
  error_description?: string
}): Page {
  if (error === 'server_error')
    return failurePage('Please try again. If it happens again, contact the administrator of this site.')
  if (error === storageFullCode && description) return failurePage(description)
  const sentences = ['The sign-in cannot continue. Start again.', html`<code>${description ?? error}</code>`]
  return messagePage('Login failed', sentences, logIn)
}
