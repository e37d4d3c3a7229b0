import ipaddr from 'ipaddr.js'
import nodemailer from 'nodemailer'
import { GiveUp } from '../../errors'

interface SmtpMailerOptions {
  server: { host: string; port: number; implicitTls: boolean; auth: { user: string; password: string } | null }
  from: { name: string; address: string }
  /** Sent with EHLO, instead of the name of the machine. */
  clientName: string
}

const connectTimeoutMs = 10_000
/** Limit without any data from the server. */
const idleTimeoutMs = 30_000

/**
 * Sends mail to one SMTP server, with one connection per mail. Throws GiveUp if the server rejects the mail for good, and
 * other errors if a later attempt can succeed.
 */
export function createSmtpMailer({ server, from, clientName }: SmtpMailerOptions) {
  const { host, port, implicitTls, auth } = server
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: auth !== null && !isThisMachine(host),
    ...(auth && { auth: { user: auth.user, pass: auth.password } }),
    name: clientName,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send(mail: { to: string; subject: string; text: string; html: string }): Promise<void> {
      const { to, subject, text, html } = mail
      try {
        await transport.sendMail({
          from,
          // An object: a string would be parsed as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // RFC 3834: no automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw isRejection(error) ? new GiveUp('The mail server rejected the e-mail.', { cause: error }) : error
      }
    },
  }
}

/** A reply of 5yz is permanent (RFC 5321, 4.2.1). Rejected credentials are the operator's to correct, not the mail's. */
function isRejection(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH'
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}
