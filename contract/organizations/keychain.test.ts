import { describe, expect, it } from 'vitest'
import { keychainFormSchema, keychainSchema } from './keychain'
import { keychainProblems } from './keychain-fields'

const ipsOf = (list: string) => keychainSchema.parse({ allowedIps: list }).allowedIps
const originsOf = (list: string) => keychainSchema.parse({ allowedOrigins: list }).allowedOrigins
const problemOf = (input: object) => keychainSchema.safeParse(input).error?.issues[0]?.message

describe('allowed IPs', () => {
  it('are addresses and networks of IPv4 and IPv6, without duplicates', () => {
    expect(ipsOf(' 203.0.113.7,10.0.0.0/8 , 2001:DB8::/32,::1, 203.0.113.7')).toBe(
      '203.0.113.7, 10.0.0.0/8, 2001:db8::/32, ::1',
    )
    expect(ipsOf('')).toBe('')
    expect(ipsOf(' , ')).toBe('')
  })

  it.each([
    '203.0.113',
    '203.0.113.300',
    '10.0.0.0/33',
    'fe80::/129',
    '::ffff:10.0.0.0/104',
    '0x7f.1',
    'example.com',
    '10.0.0.1-9',
    '1',
  ])('reject %s and say what to write', (entry) => {
    expect(problemOf({ allowedIps: `10.0.0.1, ${entry}` })).toBe(
      `${entry} is not an IP address or network. Enter one such as 203.0.113.7 or 203.0.113.0/24`,
    )
  })
})

describe('allowed origins', () => {
  it('are written as browsers send them', () => {
    expect(originsOf('HTTPS://Shop.Example/, http://localhost:8080, https://shop.example:443')).toBe(
      'https://shop.example, http://localhost:8080',
    )
    expect(originsOf('https://münchen.example')).toBe('https://xn--mnchen-3ya.example')
  })

  it.each([
    'shop.example',
    'https://shop.example/help',
    'https://*.shop.example',
    'https://a@shop.example',
    'https://shop.example?x',
    'null',
    '*',
    'file:///etc',
    'javascript:alert(1)',
    'https://',
  ])('reject %s', (entry) => {
    expect(problemOf({ allowedOrigins: entry })).toContain(`${entry} is not an origin.`)
  })
})

it('limits the lists and the rate', () => {
  const count = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`).join(',')
  expect(problemOf({ allowedIps: count })).toBe('Allowed IPs can have at most 100 entries')
  expect(problemOf({ allowedOrigins: 'x'.repeat(8_001) })).toContain('at most 8000 characters')
  for (const rateLimit of [0, 6_001, 1.5, 'many', null, '']) expect(problemOf({ rateLimit })).toContain('Rate limit')
  expect(keychainSchema.parse({ rateLimit: '60' }).rateLimit).toBe(60)
  expect(keychainSchema.parse({}).regenerate).toBe(false)
  expect(problemOf({ regenerate: 'both' })).toContain('regenerate is')
})

it.each([
  { allowedOrigins: 'https://shop.example', allowedIps: '10.0.0.0/8, ::1', rateLimit: '60', dailyMessages: '' },
  { allowedOrigins: '', allowedIps: '', rateLimit: ' 6000 ', dailyMessages: '1000000' },
  { allowedOrigins: 'shop.example', allowedIps: '1.2.3', rateLimit: '6001', dailyMessages: '0' },
  { allowedOrigins: 'https://shop.example/x', allowedIps: '10.0.0.0/08', rateLimit: '', dailyMessages: '1000001' },
  { allowedOrigins: '*', allowedIps: '1.2.3.4.', rateLimit: '1.5', dailyMessages: 'many' },
  { allowedOrigins: 'null', allowedIps: '1.2.3.4/-1', rateLimit: '-1', dailyMessages: '1e3' },
])('says of a form what the server says: %j', (fields) => {
  const issues = keychainFormSchema.safeParse(fields).error?.issues ?? []
  expect(keychainProblems(fields)).toEqual(Object.fromEntries(issues.map(({ path, message }) => [path[0], message])))
})
