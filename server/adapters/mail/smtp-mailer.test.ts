import nodemailer from 'nodemailer'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/people/smtp-sink'
import { GiveUp } from '../../errors'
import { createSmtpMailer } from './smtp-mailer'

const from = { name: 'Lamp "search"', address: 'ask@example.test' }
const mail = { to: 'ada@example.test', subject: 'Hello', text: 'Hello.\n', html: '<p>Hello.</p>' }

let sink: SmtpSink
beforeEach(async () => {
  sink = await startSmtpSink()
})
afterEach(() => sink.close())

function mailerFor(auth: { user: string; password: string } | null = null) {
  const server = { host: '127.0.0.1', port: Number(new URL(sink.url).port), implicitTls: false, auth }
  return createSmtpMailer({ server, from, clientName: 'ask.example.test' })
}

it('sends both texts, from the configured sender', async () => {
  await mailerFor().send(mail)
  const { headers, text, html } = sink.mailTo(mail.to)
  expect(headers).toMatchObject({ from: '"Lamp \\"search\\"" <ask@example.test>', to: mail.to, subject: 'Hello' })
  expect([text.trim(), html.trim()]).toEqual(['Hello.', '<p>Hello.</p>'])
  expect(sink.commands.some((command) => command.startsWith('AUTH'))).toBe(false)
})

it('authenticates', async () => {
  await mailerFor({ user: 'ask', password: 'p:w' }).send(mail)
  const encoded = sink.commands.find((command) => command.startsWith('AUTH'))?.replace('AUTH PLAIN ', '') ?? ''
  expect(Buffer.from(encoded, 'base64').toString()).toBe('\0ask\0p:w')
})

it.each([
  ['RCPT', '550 no such user', true],
  ['MAIL', '553 not from you', true],
  ['RCPT', '451 greylisted', false],
  ['MAIL', '421 too busy', false],
  ['AUTH', '535 wrong password', false],
])('gives up after a reply to %s only if it is permanent: %s', async (command, reply, isPermanent) => {
  sink.reply = (line) => (line.startsWith(command) ? reply : null)
  const error = await mailerFor({ user: 'ask', password: 'x' })
    .send(mail)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error instanceof GiveUp).toBe(isPermanent)
})

it('fails if nobody listens, and can be tried again', async () => {
  const mailer = mailerFor()
  await sink.close()
  const error = await mailer.send(mail).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'ESOCKET' })
  sink = await startSmtpSink()
})

it.each([
  ['mail.example.com', true],
  ['10.0.0.1', true],
  ['localhost', false],
  ['127.0.0.1', false],
  ['::1', false],
])('sends a password to %s only over TLS: %s', (host, requireTLS) => {
  const create = vi.spyOn(nodemailer, 'createTransport')
  const server = { host, port: 587, implicitTls: false, auth: { user: 'ask', password: 'x' } }
  createSmtpMailer({ server, from, clientName: 'ask.example.test' })
  expect(create.mock.calls.at(-1)?.[0]).toMatchObject({ requireTLS })
  create.mockRestore()
})
