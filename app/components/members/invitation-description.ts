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
    sendsMail
      ? 'Sends an invitation link to this e-mail address, valid for 7 days.'
      : 'Creates an invitation link for this e-mail address, valid for 7 days.',
  ]
  if (isSignUpClosed) sentences.push('Sign-up is closed on this site, so only people who have an account can join.')
  return sentences.join(' ')
}
