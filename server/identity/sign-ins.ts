import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import type { Logger } from 'pino'
import { maxStoredHeaderLength } from '../../contract/values/limits'
import type { SignInView } from '../../contract/views/organizations/session'
import type { Database } from '../../db/database'
import { signIns, users } from '../../db/schema/users'
import { GiveUp } from '../errors'
import { enqueue } from '../services/jobs/jobs'
import { newDeviceLetter } from '../services/mail/letters'
import type { MailService } from '../services/mail/mail'
import { hashToken } from '../tokens'

interface Deps {
  db: Database
  mail: Pick<MailService, 'isConfigured' | 'send'>
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

interface SignIn {
  /** How the person proved who they are; null with an external provider. */
  methods: string[] | null
  userAgent: string | null
  ip: string
  /** The token of the cookie that recognizes the browser. */
  device: string
}

const keptDays = 90
const maxKept = 100
const maxListed = 20

/** Keeps who signed in when and from where, and tells people about sign-ins from browsers that they have not used before. */
export function createSignIns({ db, mail, publicUrl, log }: Deps) {
  return {
    async record(userId: string, { methods, userAgent, ip, device: token }: SignIn): Promise<void> {
      const device = hashToken(token)
      const ofUser = eq(signIns.userId, userId)
      await db.write(async (tx) => {
        const before = await tx.$count(signIns, ofUser)
        const isKnown = (await tx.$count(signIns, and(ofUser, eq(signIns.device, device)))) > 0
        const [added] = await tx
          .insert(signIns)
          .values({
            userId,
            method: methods?.join('+') ?? null,
            userAgent: userAgent?.slice(0, maxStoredHeaderLength) || null,
            ip,
            device,
          })
          .returning({ id: signIns.id })
        const surplus = tx
          .select({ id: signIns.id })
          .from(signIns)
          .where(ofUser)
          .orderBy(desc(signIns.createdAt), desc(signIns.id))
          .limit(maxKept)
          .offset(maxKept)
        await tx.delete(signIns).where(inArray(signIns.id, surplus))
        // The first sign-in is the one that created the account.
        if (mail.isConfigured && before > 0 && !isKnown)
          await enqueue(tx, { kind: 'mail-sign-in', payload: { signInId: added?.id ?? '' } })
      })
    },

    /** The last sign-ins of a person, the newest first, at most 20. */
    async list(userId: string): Promise<SignInView[]> {
      const rows = await db.read
        .select()
        .from(signIns)
        .where(eq(signIns.userId, userId))
        .orderBy(desc(signIns.createdAt), desc(signIns.id))
        .limit(maxListed)
      return rows.map(({ id, method, userAgent, ip, createdAt }) => ({
        id,
        methods: method?.split('+') ?? null,
        user_agent: userAgent,
        ip,
        created_at: createdAt.toISOString(),
      }))
    },

    /** Mails to a person that a new browser was used; the job `mail-sign-in`. Throws if a later attempt may succeed. */
    async mailNewDevice(signInId: string): Promise<void> {
      const [row] = await db.read
        .select({ signIn: signIns, email: users.email })
        .from(signIns)
        .innerJoin(users, eq(users.id, signIns.userId))
        .where(eq(signIns.id, signInId))
      if (!row) return
      const { userAgent, ip, createdAt } = row.signIn
      try {
        await mail.send(row.email, newDeviceLetter({ site: publicUrl, userAgent, ip, time: createdAt }))
      } catch (error) {
        if (!(error instanceof GiveUp)) throw error
        log.warn({ err: error }, 'An e-mail was rejected')
      }
    },

    async sweep(): Promise<void> {
      const before = new Date(Date.now() - keptDays * 24 * 3_600_000)
      await db.writeOne((tx) => tx.delete(signIns).where(lt(signIns.createdAt, before)))
    },
  }
}
export type SignIns = ReturnType<typeof createSignIns>
