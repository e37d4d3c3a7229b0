import { expect, it } from 'vitest'
import { invitationDescription } from './invitation-description'

it('says whether the link is sent', () => {
  expect(invitationDescription({ sendsMail: true, isSignUpClosed: false })).toMatch(/^Sends an invitation link/)
  expect(invitationDescription({ sendsMail: false, isSignUpClosed: false })).toMatch(/^Creates an invitation link/)
})

it('says who can join only where sign-up is closed', () => {
  const only = 'only people who have an account can join'
  expect(invitationDescription({ sendsMail: false, isSignUpClosed: true })).toContain(only)
  expect(invitationDescription({ sendsMail: false, isSignUpClosed: false })).not.toContain(only)
})
