import type { Actor } from '../../actor'
import { type Letter, type Mail, renderMail } from './render-mail'

/** Sends an e-mail. Throws GiveUp if it is rejected for good. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

interface Limiter {
  /** Counts an event. Returns null if it is allowed, otherwise the seconds to wait. */
  take(key: string): Promise<number | null>
}

interface Deps {
  /** Null if no mail server is configured. */
  mailer: Mailer | null
  createLimiter: (rate: { name: string; burst: number; burstSeconds: number; everySeconds: number }) => Limiter
}

const hourSeconds = 3600

/** The mail that people get. Its limits keep strangers from sending mail through this server without bound. */
export function createMail({ mailer, createLimiter }: Deps) {
  const byAddress = createLimiter({
    name: 'mail address',
    burst: 3,
    burstSeconds: hourSeconds,
    everySeconds: hourSeconds / 3,
  })
  const byNetwork = createLimiter({ name: 'mail network', burst: 10, burstSeconds: hourSeconds, everySeconds: 60 })
  const byPerson = createLimiter({ name: 'mail person', burst: 50, burstSeconds: hourSeconds, everySeconds: 120 })

  return {
    /** Whether a mail server is configured. Without one, people pass links on themselves. */
    isConfigured: mailer !== null,

    /**
     * Counts an e-mail that a visitor asks for. Returns null if it may be sent, otherwise the seconds to wait. Does not
     * depend on whether the address has an account.
     */
    async admitVisitor(network: string, email: string): Promise<number | null> {
      return (await byNetwork.take(network)) ?? (await byAddress.take(email))
    },

    /** Counts an e-mail that an actor sends to someone else. False without a mail server, or over a limit. */
    async admitInvitation(actor: Actor, email: string): Promise<boolean> {
      if (mailer === null) return false
      if (actor.kind === 'person' && (await byPerson.take(actor.userId)) !== null) return false
      return (await byAddress.take(email)) === null
    },

    async send(to: string, letter: Letter): Promise<void> {
      if (mailer === null) throw new Error('No mail server is configured.')
      await mailer.send(renderMail(to, letter))
    },
  }
}
export type MailService = ReturnType<typeof createMail>
