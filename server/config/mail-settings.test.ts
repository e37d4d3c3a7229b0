import { describe, expect, it } from 'vitest'
import { parseMailbox, parseSmtpUrl } from './mail-settings'

describe('parseSmtpUrl', () => {
  it.each([
    ['smtp://mail.example.com', 'mail.example.com', 587, false, null],
    ['smtp://mail.example.com:2525/', 'mail.example.com', 2525, false, null],
    ['smtps://mail.example.com', 'mail.example.com', 465, true, null],
    ['smtp://[::1]:25', '::1', 25, false, null],
    ['smtps://ada%40example.com:p%3A%2Fs@mail', 'mail', 465, true, { user: 'ada@example.com', password: 'p:/s' }],
  ])('reads %s', (text, host, port, implicitTls, auth) => {
    expect(parseSmtpUrl(text)).toEqual({ host, port, implicitTls, auth })
  })

  it.each([
    '',
    'mail.example.com:587',
    'http://mail.example.com',
    'smtp://',
    'smtp://:password@mail.example.com',
    'smtp://a%ZZ:b@mail.example.com',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls.rejectUnauthorized=false',
    'smtp://mail.example.com#x',
    'smtp://mail.example.com:99999',
    'smtp://ma il',
  ])('rejects %j', (text) => {
    expect(parseSmtpUrl(text)).toBeNull()
  })
})

describe('parseMailbox', () => {
  it.each([
    ['ask@example.com', '', 'ask@example.com'],
    [' Ask us <ask@example.com> ', 'Ask us', 'ask@example.com'],
    ['"Lamps, Ltd." <ask@example.com>', 'Lamps, Ltd.', 'ask@example.com'],
    ['<ask@example.com>', '', 'ask@example.com'],
  ])('reads %j', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address })
  })

  it.each([
    '',
    'ask',
    'Ask <ask>',
    'a@example.com, b@example.com',
    'A <a@example.com> <b@example.com>',
    'A\r\nB <a@b.c>',
  ])('rejects %j', (text) => {
    expect(parseMailbox(text)).toBeNull()
  })
})
