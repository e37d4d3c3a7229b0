import { describe, expect, it } from 'vitest'
import { landingNotifications } from './landing'

const verify = 'You need to verify your email before logging in.'

function shownFor(error: string, description: string, failure: { code: string; description: string } | null = null) {
  return landingNotifications(new URLSearchParams({ error, error_description: description }), failure)[0]
}

describe('landingNotifications', () => {
  it('says that access was denied, with the description of the sign-in', () => {
    const shown = shownFor('access_denied', 'No.', { code: 'access_denied', description: 'No.' })
    expect(shown).toMatchObject({ type: 'danger', title: 'Failed to log in, access denied!', message: 'No.' })
  })

  it.each(['access_denied', 'login_failed', 'state_mismatch', 'anything'])(
    'never shows the words of an address, with the code %s',
    (code) => {
      const words = 'Call 555-0100 to unlock your account.'
      for (const failure of [null, { code: 'another', description: 'Another failure.' }]) {
        const shown = shownFor(code, words, failure)
        expect(shown?.message).toMatch(/\.$/)
        // Without the random identifier, which may contain any digits.
        expect(`${shown?.title} ${shown?.message}`).not.toMatch(/555|Another/)
      }
    },
  )

  it.each([null, { code: 'access_denied', description: verify }])(
    'warns of an address that was not verified, also from the address alone',
    (failure) => {
      expect(shownFor('access_denied', verify, failure)).toMatchObject({
        type: 'warning',
        title: 'Account not verified!',
        message: 'You need to verify your email address before logging in.',
      })
    },
  )

  it('prefers what the sign-in said to what the address says', () => {
    const shown = shownFor('access_denied', verify, { code: 'access_denied', description: 'The account is blocked.' })
    expect(shown).toMatchObject({ type: 'danger', message: 'The account is blocked.' })
  })

  it.each([
    ['state_mismatch', 'Invalid state'],
    ['missing_transaction', 'Invalid state'],
    ['login_failed', 'Login failed'],
    ['timeout', 'Login failed'],
    ['cancelled', 'Login failed'],
    ['mfa_required', 'Login failed'],
    ['missing_refresh_token', 'Login failed'],
    ['use_dpop_nonce', 'Login failed'],
    ['login_required', 'Login failed'],
    ['constructor', 'Login failed'],
  ])('explains %s with a title and a description', (code, title) => {
    for (const failure of [null, { code, description: title }]) {
      const shown = shownFor(code, title, failure)
      expect(shown).toMatchObject({ type: 'danger', title })
      expect(shown?.message).toMatch(/\.$/)
      expect(shown?.message).not.toBe(title)
    }
  })

  it('shows a description that says more than the title, up to 300 characters', () => {
    const failure = { code: 'login_failed', description: 'No e-mail. '.repeat(100) }
    const shown = shownFor('login_failed', '', failure)
    expect(shown).toMatchObject({ title: 'Login failed', message: failure.description.slice(0, 300) })
  })

  it('is silent without an error', () => {
    expect(landingNotifications(new URLSearchParams(), { code: 'login_failed', description: 'No.' })).toEqual([])
  })
})
