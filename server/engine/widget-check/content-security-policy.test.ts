import { describe, expect, it } from 'vitest'
import { allowsCall, allowsScript, parsePolicies } from './content-security-policy'

const page = new URL('https://shop.example/lamps')
const server = 'https://ask.example.com'
const hash = 'sha384-abc'

function scriptBy(policies: string, script: { nonce?: string; hash?: string } = {}) {
  const { nonce = null, hash = null } = script
  const url = new URL(`${server}/widget.js`)
  return parsePolicies(policies).every((policy) => allowsScript(policy, page, { url, nonce, hash }))
}

function callBy(policy: string, url = `${server}/v1/public/chat`, from = page) {
  return parsePolicies(policy).every((parsed) => allowsCall(parsed, from, new URL(url)))
}

describe('scripts', () => {
  it.each([
    ['without a policy for scripts', "img-src 'self'", true],
    ['by the host', 'script-src ask.example.com', true],
    ['by the origin', `script-src ${server}`, true],
    ['by a wildcard', 'script-src *.example.com', true],
    ['not by a wildcard for subdomains alone', 'script-src *.ask.example.com', false],
    ['by the scheme', 'script-src https:', true],
    ['by an unencrypted scheme', 'script-src http://ask.example.com', true],
    ['by the exact path', `script-src ${server}/widget.js`, true],
    ['not by another path', `script-src ${server}/scripts/`, false],
    ['by a folder', `script-src ${server}/`, true],
    ['by the default port', `script-src ${server}:443`, true],
    ['not by another port', `script-src ${server}:8443`, false],
    ['by any port', `script-src ${server}:*`, true],
    ['not by self', "script-src 'self'", false],
    ['not by none', "script-src 'none'", false],
    ['not by an empty list', 'script-src', false],
    ['not by unsafe-inline', "script-src 'unsafe-inline'", false],
    ['by default-src', `default-src ${server}`, true],
    ['not by default-src alone', `default-src ${server}; script-src 'self'`, false],
    ['by script-src-elem before script-src', `script-src 'none'; script-src-elem ${server}`, true],
    ['not if one of two policies forbids it', `script-src ${server}, script-src 'self'`, false],
    ['in any case of letters', `SCRIPT-SRC HTTPS://ASK.EXAMPLE.COM`, true],
  ])('are allowed %s', (_, policy, expected) => {
    expect(scriptBy(policy)).toBe(expected)
  })

  it('are allowed by their nonce', () => {
    expect(scriptBy("script-src 'nonce-AbC'", { nonce: 'AbC' })).toBe(true)
    expect(scriptBy("script-src 'nonce-AbC'", { nonce: 'abc' })).toBe(false)
    expect(scriptBy("script-src 'nonce-AbC'")).toBe(false)
  })

  it('are allowed by their integrity hash', () => {
    expect(scriptBy(`script-src '${hash}'`, { hash })).toBe(true)
    expect(scriptBy(`script-src '${hash}'`)).toBe(false)
  })

  it('ignore hosts with strict-dynamic', () => {
    const policy = `script-src 'strict-dynamic' 'nonce-AbC' ${server}`
    expect(scriptBy(policy)).toBe(false)
    expect(scriptBy(policy, { nonce: 'AbC' })).toBe(true)
  })
})

describe('calls', () => {
  it.each([
    ['without connect-src and default-src', `script-src 'none'`, true],
    ['by connect-src', `default-src 'none'; connect-src ${server}`, true],
    ['not by another host', 'connect-src https://api.example.com', false],
    ['by default-src', `default-src ${server}`, true],
    ['not by default-src self', "default-src 'self'", false],
    ['by a folder', `connect-src ${server}/v1/public/`, true],
    ['by a star', 'connect-src *', true],
  ])('are allowed %s', (_, policy, expected) => {
    expect(callBy(policy)).toBe(expected)
  })

  it('match self by origin, and with the encrypted scheme', () => {
    expect(callBy("connect-src 'self'", 'https://shop.example/v1')).toBe(true)
    expect(callBy("connect-src 'self'", 'https://shop.example:8443/v1')).toBe(false)
    expect(callBy("connect-src 'self'", 'https://shop.example/v1', new URL('http://shop.example/'))).toBe(true)
    expect(callBy("connect-src 'self'", 'http://shop.example/v1')).toBe(false)
  })

  it('take the scheme of the page where a source has none', () => {
    expect(callBy('connect-src ask.example.com', 'http://ask.example.com/v1')).toBe(false)
    expect(callBy('connect-src ask.example.com', 'http://ask.example.com/v1', new URL('http://shop.example/'))).toBe(
      true,
    )
  })
})
