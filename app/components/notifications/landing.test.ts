import { describe, expect, it } from 'vitest'
import { landingNotifications } from './landing'

describe('landingNotifications', () => {
  it('says that access was denied, with the description', () => {
    const [shown] = landingNotifications(new URLSearchParams({ error: 'access_denied', error_description: 'No.' }))
    expect(shown).toMatchObject({ type: 'danger', title: 'Failed to log in, access denied!', message: 'No.' })
  })

  it('warns of an address that was not verified', () => {
    const [shown] = landingNotifications(
      new URLSearchParams({
        error: 'access_denied',
        error_description: 'You need to verify your email before logging in.',
      }),
    )
    expect(shown).toMatchObject({
      type: 'warning',
      title: 'Account not verified!',
      message: 'You need to verify your email address before logging in.',
    })
  })

  it.each([
    ['state_mismatch', 'Invalid state'],
    ['missing_transaction', 'Invalid state'],
    ['login_failed', 'Login failed'],
    ['login_required', 'Login failed'],
    ['constructor', 'Login failed'],
  ])('tells of %s with a title and a description', (error, title) => {
    const [shown] = landingNotifications(new URLSearchParams({ error, error_description: title }))
    expect(shown).toMatchObject({ type: 'danger', title })
    expect(shown?.message).toMatch(/\.$/)
    expect(shown?.message).not.toBe(title)
  })

  it('keeps a description that says more than the title', () => {
    const [shown] = landingNotifications(
      new URLSearchParams({ error: 'login_failed', error_description: 'No e-mail.' }),
    )
    expect(shown).toMatchObject({ title: 'Login failed', message: 'No e-mail.' })
  })

  it('is silent without an error', () => {
    expect(landingNotifications(new URLSearchParams())).toEqual([])
  })
})
