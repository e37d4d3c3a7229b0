import { describe, expect, it } from 'vitest'
import { isLoginUrl } from './login-url'

describe('isLoginUrl', () => {
  it.each([
    ['/login?next=/docs', true],
    ['/users/sign_in?return_to=%2Fdocs', true],
    ['/sso?RelayState=x', true],
    ['/wp-login.php?redirect_to=x', true],
    ['/account/Login?ReturnUrl=/x', true],
    ['/oauth2/authorize?client_id=1&redirect_uri=https://a.example/', true],
    ['/cas/login?service=https://a.example/', true],
    ['/login', false],
    ['/login?lang=en', false],
    ['/docs/login-page?next=2', false],
    ['/authors?from=1990', false],
    ['/page?next=/login', false],
  ])('%s: %s', (path, expected) => {
    expect(isLoginUrl(`https://site.example${path}`)).toBe(expected)
  })
})
