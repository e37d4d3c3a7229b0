import { expect, it } from 'vitest'
import { storedIp } from './visitor-ip'

it.each([
  ['203.0.113.77', 'full', '203.0.113.77'],
  ['203.0.113.77', 'short', '203.0.113.0'],
  ['::ffff:203.0.113.77', 'short', '203.0.113.0'],
  ['2001:db8:1:2:3:4:5:6', 'full', '2001:db8:1:2:3:4:5:6'],
  ['2001:db8:1:2:3:4:5:6', 'short', '2001:db8:1::'],
  ['203.0.113.77', 'off', null],
  ['no address', 'short', null],
  [null, 'full', null],
] as const)('keeps of %s, with %s, %s', (ip, kept, stored) => {
  expect(storedIp(ip, kept)).toBe(stored)
})
