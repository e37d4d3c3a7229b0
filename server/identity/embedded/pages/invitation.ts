import type { Invitation } from '../../links/invitations'
import { html } from './html'
import type { Page } from './layout'
import { messagePage } from './messages'

const roles = { admin: 'an administrator', member: 'a member', viewer: 'a viewer' } as const

/** Asks whether to join: opening a link must not change anything by itself. */
export function joinPage({ email, organizationName, role, invitedBy }: Invitation, token: string): Page {
  const body = html`<h1>Join ${organizationName}</h1>
<p class="soft">${invitedBy ?? 'An administrator'} invited you as ${roles[role]}. The invitation is for ${email}.</p>
<form method="post" action="/invitation" novalidate>
<input type="hidden" name="token" value="${token}">
<button>Join ${organizationName}</button>
</form>`
  return { title: `Join ${organizationName}`, body }
}

export function otherPersonPage({ email, organizationName }: Invitation, signedInAs: string): Page {
  const sentences = [
    `The invitation to ${organizationName} is for ${email}, but you are logged in as ${signedInAs}.`,
    'Log out and open the link again, or ask an administrator of the organization to invite the address of your account.',
  ]
  return messagePage('This invitation is for someone else', sentences, {
    href: '/dashboard',
    label: 'Back to the site',
  })
}
