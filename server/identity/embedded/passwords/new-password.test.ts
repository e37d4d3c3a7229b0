import { describe, expect, it } from 'vitest'
import { newPasswordProblem } from './new-password'

const email = 'ada.lovelace@example.com'

describe('a new password', () => {
  it.each(['1234567890', 'PASSWORD123', 'qwertyuiop', 'Q1W2E3R4T5', 'iloveyou12'])('cannot be %s', (password) => {
    expect(newPasswordProblem(password, email)).toMatch(/^Many people use this password/)
  })

  it.each(['Ada.Lovelace@example.com', 'adalovelace1815', 'ada.lovelace'])('cannot be the address: %s', (password) => {
    expect(newPasswordProblem(password, email)).toMatch(/your e-mail address/)
  })

  it.each(['sitelore2026', 'Sitelore!!', 'siteloresitelore'])('cannot be the name of the product: %s', (password) => {
    expect(newPasswordProblem(password, email)).toMatch(/name of this product/)
  })

  it('has from 10 to 200 characters', () => {
    expect(newPasswordProblem('a7!kQ', email)).toBe('Use at least 10 characters')
    expect(newPasswordProblem('ab'.repeat(200), email)).toMatch(/^Use at most/)
  })

  it.each(['correct horse battery', 'sitelore is for adas', '82736450192', 'пароль-не-из-списка'])(
    'can be %s',
    (password) => {
      expect(newPasswordProblem(password, email)).toBeNull()
    },
  )
})
