/** How a site treats the people who are invited. */
export interface InvitingSite {
  /** Whether the server mails the link. */
  sendsMail: boolean
  /** Whether nobody can create an account. */
  isSignUpClosed: boolean
}

/** What the dialog says of the invitation that it creates. */
export function invitationDescription({ sendsMail, isSignUpClosed }: InvitingSite): string {
  const sentences = [
    sendsMail ? 'We send this person a link.' : 'This creates a link for you to send.',
    'It is valid for 7 days and for this e-mail address only.',
  ]
  if (isSignUpClosed) sentences.push('Sign-up is closed on this site, so only people who have an account can join.')
  return sentences.join(' ')
}
