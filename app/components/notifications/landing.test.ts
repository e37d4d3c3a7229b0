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

  it('is silent otherwise', () => {
    expect(landingNotifications(new URLSearchParams())).toEqual([])
    expect(landingNotifications(new URLSearchParams({ error: 'other' }))).toEqual([])
  })
})
