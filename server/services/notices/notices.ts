import { and, asc, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { NoticeKind } from '../../../contract/values/notices'
import type { NoticeView } from '../../../contract/views/notice'
import type { Database, Transaction } from '../../../db/database'
import { noticeMails, notices } from '../../../db/schema/notices'
import { members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { GiveUp } from '../../errors'
import { authorize } from '../../policy'
import { enqueue } from '../jobs/jobs'
import { noticeLetter } from '../mail/letters'
import type { MailService } from '../mail/mail'
import { type ConditionDeps, currentNotices } from './conditions'

type NoticeRow = typeof notices.$inferSelect

interface Deps extends Omit<ConditionDeps, 'read'> {
  db: Database
  mail: Pick<MailService, 'isConfigured' | 'send'>
  publicUrl: string
  log: Record<'warn', (details: object, message: string) => void>
}

/** Between two mails about notices of one kind to the people of one organization. */
const mailPauseMs = 3_600_000
const maxListed = 20
const staff = 1

/** What needs attention: found by the server, shown on dashboards, and mailed to those who can do something about it. */
export function createNotices({ db, mail, publicUrl, log, ...conditions }: Deps) {
  /** Looks for what needs attention, forgets what no longer does, and enqueues mails about what is new. */
  async function check(now = new Date()): Promise<void> {
    const before = await db.read.select({ key: notices.key }).from(notices)
    const open = new Set(before.map(({ key }) => key))
    const found = await currentNotices({ ...conditions, read: db.read }, open, now)
    const keys = new Set(found.map(({ key }) => key))
    const over = [...open].filter((key) => !keys.has(key))
    await db.write(async (tx) => {
      for (const key of over) await tx.delete(notices).where(eq(notices.key, key))
      for (const { key, ...notice } of found) {
        // The organization may have been deleted since.
        if (
          notice.organizationId &&
          (await tx.$count(organizations, eq(organizations.id, notice.organizationId))) === 0
        )
          continue
        const { title, text, path } = notice
        await tx
          .insert(notices)
          .values({ key, ...notice, createdAt: now })
          .onConflictDoUpdate({ target: notices.key, set: { title, text, path } })
      }
    })
    if (mail.isConfigured) await enqueueMails(now)
  }

  async function enqueueMails(now: Date): Promise<void> {
    const pauseEnd = new Date(now.getTime() - mailPauseMs)
    await db.writeOne((tx) => tx.delete(noticeMails).where(lte(noticeMails.sentAt, pauseEnd)))
    const waiting = await db.read.select().from(notices).where(isNull(notices.mailedAt)).orderBy(asc(notices.createdAt))
    const groups = new Map<string, NoticeRow[]>()
    for (const notice of waiting) {
      const group = `${notice.organizationId ?? ''} ${notice.kind}`
      groups.set(group, [...(groups.get(group) ?? []), notice])
    }
    for (const group of groups.values()) await db.write((tx) => enqueueMail(tx, group, now))
  }

  /** Enqueues one mail about notices of one kind to each recipient, unless the last was less than an hour ago. */
  async function enqueueMail(tx: Transaction, group: NoticeRow[], now: Date): Promise<void> {
    const [first] = group
    if (!first) return
    const place = { organizationId: first.organizationId ?? '', kind: first.kind }
    const ofPlace = and(eq(noticeMails.organizationId, place.organizationId), eq(noticeMails.kind, place.kind))
    const [last] = await tx.select().from(noticeMails).where(ofPlace)
    if (last) return
    await tx.insert(noticeMails).values({ ...place, sentAt: now })
    const keys = group.map(({ key }) => key)
    await tx.update(notices).set({ mailedAt: now }).where(inArray(notices.key, keys))
    for (const userId of await recipients(tx, first.organizationId)) {
      const payload = { userId, ...place, keys: JSON.stringify(keys.slice(0, maxListed)) }
      const organizationId = first.organizationId
      await enqueue(tx, { kind: 'mail-notice', payload, ...(organizationId ? { organizationId } : {}) })
    }
  }

  /** Administrators of the organization, or of the platform, who want these mails. */
  async function recipients(tx: Transaction, organizationId: string | null): Promise<string[]> {
    const wants = eq(users.wantsNotices, true)
    const rows = organizationId
      ? await tx
          .select({ id: users.id })
          .from(users)
          .innerJoin(members, eq(members.userId, users.id))
          .where(and(wants, eq(members.organizationId, organizationId), eq(members.role, 'admin')))
      : await tx
          .select({ id: users.id })
          .from(users)
          .where(and(wants, eq(users.type, staff)))
    return rows.map(({ id }) => id)
  }

  /** Mails to a person what still needs attention of these notices. Throws if a later attempt may succeed. */
  async function send({ userId = '', keys = '[]' }: Record<string, string>): Promise<void> {
    const [user] = await db.read.select({ email: users.email }).from(users).where(eq(users.id, userId))
    const rows = await db.read
      .select({ notice: notices, organization: organizations.name })
      .from(notices)
      .leftJoin(organizations, eq(organizations.id, notices.organizationId))
      .where(inArray(notices.key, JSON.parse(keys) as string[]))
      .orderBy(asc(notices.createdAt))
    if (!user || rows.length === 0) return
    const organizationName = rows[0]?.organization ?? null
    const letter = noticeLetter({ site: publicUrl, organizationName, notices: rows.map(({ notice }) => notice) })
    try {
      await mail.send(user.email, letter)
    } catch (error) {
      if (!(error instanceof GiveUp)) throw error
      log.warn({ err: error }, 'An e-mail was rejected')
    }
  }

  /** What needs attention in an organization, the newest first; for administrators of the platform, on the server, too. */
  async function list(actor: Actor, organizationId: string): Promise<NoticeView[]> {
    authorize(actor, 'organization:read', organizationId)
    const isStaff = actor.kind === 'person' && actor.staff
    const ofOrganization = eq(notices.organizationId, organizationId)
    const rows = await db.read
      .select()
      .from(notices)
      .where(isStaff ? or(ofOrganization, isNull(notices.organizationId)) : ofOrganization)
      .orderBy(asc(notices.createdAt))
      .limit(maxListed)
    return rows.map((row) => ({
      kind: row.kind as NoticeKind,
      title: row.title,
      text: row.text,
      path: row.path,
      created_at: row.createdAt.toISOString(),
    }))
  }

  /** Whether the person gets mails about what needs attention. */
  async function isWanted(actor: Actor): Promise<boolean> {
    const [user] = await db.read
      .select({ wantsNotices: users.wantsNotices })
      .from(users)
      .where(eq(users.id, personOf(actor) ?? ''))
    return user?.wantsNotices ?? false
  }

  async function want(actor: Actor, wantsNotices: boolean): Promise<void> {
    await db.writeOne((tx) =>
      tx
        .update(users)
        .set({ wantsNotices })
        .where(eq(users.id, personOf(actor) ?? '')),
    )
  }

  return { check, send, list, isWanted, want }
}

export type Notices = ReturnType<typeof createNotices>
