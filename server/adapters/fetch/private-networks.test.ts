import { describe, expect, it } from 'vitest'
import { createNetworkGuard } from './private-networks'

const closed = createNetworkGuard([])

describe('network guard', () => {
  it.each([
    '93.184.215.14',
    '8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2606:4700::5efe:808:808',
  ])('allows the public address %s', (address) => expect(closed.judge(address, 'site.example')).toBe('public'))

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '192.0.0.192',
    '168.63.129.16',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:a00:1',
    '2606:4700::5efe:a9fe:a9fe',
    'fe80::5efe:808:808',
    '2001:10::1',
    '2001:20::1',
    '2001:2::1',
    '5f00::1',
    'fec0::1',
    '::ffff:10.0.0.1',
    '::ffff:0:a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '192.88.99.1',
    '192.0.0.8',
    '127.1',
    '0x7f.0.0.1',
    '127.0.0.1%eth0',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '100::1',
    '[::1]',
    'site.example',
    '',
    '0177.0.0.1',
    '2130706433',
  ])('refuses %s', (address) => {
    expect(closed.judge(address, 'site.example')).toMatch(/^(refused|forbidden)$/)
  })

  it('allows configured hosts, addresses and ranges', () => {
    const guard = createNetworkGuard(['Intranet.Example.', '10.0.0.0/8', '127.0.0.1', '[::1]', 'fd12::/16'])
    expect(guard.judge('192.168.0.4', 'intranet.example')).toBe('allowed')
    expect(guard.judge('192.168.0.4', 'other.example')).toBe('refused')
    expect(guard.judge('10.200.0.1', 'x')).toBe('allowed')
    expect(guard.judge('127.0.0.1', 'x')).toBe('allowed')
    expect(guard.judge('127.0.0.2', 'x')).toBe('refused')
    expect(guard.judge('::ffff:10.0.0.1', 'x')).toBe('allowed')
    expect(guard.judge('::1', 'x')).toBe('allowed')
    expect(guard.judge('fd12::9', 'x')).toBe('allowed')
    expect(guard.judge('8.8.8.8', 'x')).toBe('public')
  })

  it.each([
    '10.1.2.3',
    '127.0.0.1',
    '::1',
    'fc00::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2606:4700::5efe:7f00:1',
    '192.0.2.1',
  ])('allows %s if exactly this address is configured', (address) => {
    expect(closed.judge(address, address)).toBe('refused')
    expect(createNetworkGuard([address]).judge(address, address)).toBe('allowed')
  })

  it('never allows link-local and metadata addresses', () => {
    for (const guard of [createNetworkGuard('all'), createNetworkGuard(['0.0.0.0/0', '::/0', 'metadata.example'])]) {
      for (const address of [
        '169.254.169.254',
        '::ffff:169.254.169.254',
        '64:ff9b::a9fe:a9fe',
        '2002:a9fe:a9fe::',
        'fe80::1',
        'fd00:ec2::254',
        '100.100.100.200',
        '168.63.129.16',
        '0.0.0.0',
        '::',
        '::a9fe:a9fe',
        '2606:4700::5efe:a9fe:a9fe',
      ]) {
        expect(guard.judge(address, 'metadata.example'), address).toBe('forbidden')
      }
      expect(guard.judge('127.0.0.1', 'x')).toBe('allowed')
    }
  })
})
