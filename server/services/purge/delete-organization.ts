import { and, eq, inArray, isNotNull, isNull, not } from 'drizzle-orm'
import type { OrganizationDeletion } from '../../../contract/organizations/organization'
import type { Database } from '../../../db/database'
import { auditEvents } from '../../../db/schema/audit'
import { collections, sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { keychains } from '../../../db/schema/keychains'
import { invitations, members, organizations } from '../../../db/schema/organizations'
import { threads } from '../../../db/schema/threads'
import { sessions } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { enqueue } from '../jobs/jobs'
import type { createPurge } from './purge-collections'

interface Deps {
  db: Database
  purgeCollection: ReturnType<typeof createPurge>['collection']
}

const threadBatch = 100

/** Deletes organizations with everything in them. */
export function createOrganizationDeletion({ db, purgeCollection }: Deps) {
  /**
   * Ends the access of all members, keys and shared threads, and the runs, at once; a job deletes the rows, files and
   * index entries. Throws invalid_input if the confirmation is not the organization's name.
   */
  async function remove(actor: Actor, id: string, confirmation: OrganizationDeletion): Promise<void> {
    authorize(actor, 'organization:delete', id)
    const deletedAt = new Date()
    await db.write(async (tx) => {
      const current = and(eq(organizations.id, id), isNull(organizations.deletedAt))
      const [organization] = await tx.update(organizations).set({ deletedAt }).where(current).returning()
      if (!organization) throw notFound()
      if (organization.name.normalize('NFC') !== confirmation.name.normalize('NFC')) throw wrongName()
      const subject = { id, name: organization.name }
      await recordEvent(tx, actor, { organizationId: id, action: 'organization.deleted', subject })
      await tx.delete(members).where(eq(members.organizationId, id))
      await tx.update(sessions).set({ organizationId: null }).where(eq(sessions.organizationId, id))
      await tx.delete(invitations).where(eq(invitations.organizationId, id))
      await tx.delete(keychains).where(eq(keychains.organizationId, id))
      await tx.update(threads).set({ publishedAt: null }).where(eq(threads.organizationId, id))
      const hidden = { deletedAt }
      await tx
        .update(collections)
        .set(hidden)
        .where(and(eq(collections.organizationId, id), isNull(collections.deletedAt)))
      await tx
        .update(sources)
        .set(hidden)
        .where(and(eq(sources.organizationId, id), isNull(sources.deletedAt)))
      // Running jobs end when they find their source deleted.
      await tx.delete(jobs).where(and(eq(jobs.organizationId, id), inArray(jobs.status, ['queued', 'failed'])))
      await enqueue(tx, { kind: 'purge-organization', payload: { organizationId: id }, dedupeKey: purgeKey(id) })
    })
  }

  /** Deletes the rows of a deleted organization in short transactions. Interrupted calls can be repeated. */
  async function purge(id: string): Promise<void> {
    const isDeleted = and(eq(organizations.id, id), isNotNull(organizations.deletedAt))
    if ((await db.read.$count(organizations, isDeleted)) === 0) return
    const all = await db.read.select({ id: collections.id }).from(collections).where(eq(collections.organizationId, id))
    for (const collection of all) await purgeCollection(collection.id)
    await purgeThreads(id)
    await db.write(async (tx) => {
      await tx.delete(organizations).where(isDeleted)
      // Who deleted it stays known to the operator.
      const isDeletion = eq(auditEvents.action, 'organization.deleted')
      await tx.delete(auditEvents).where(and(eq(auditEvents.organizationId, id), not(isDeletion)))
      await tx.delete(jobs).where(and(eq(jobs.dedupeKey, purgeKey(id)), eq(jobs.status, 'queued')))
    })
  }

  async function purgeThreads(organizationId: string): Promise<void> {
    for (;;) {
      const ofOrganization = eq(threads.organizationId, organizationId)
      const rows = await db.read.select({ id: threads.id }).from(threads).where(ofOrganization).limit(threadBatch)
      if (rows.length === 0) return
      const ids = rows.map((row) => row.id)
      await db.write((tx) => tx.delete(threads).where(inArray(threads.id, ids)))
    }
  }

  return { remove, purge }
}

function purgeKey(id: string): string {
  return `purge-organization:${id}`
}

function wrongName(): AppError {
  const message = 'This is not the name of the organization.'
  return new AppError('invalid_input', message, { details: { fields: { name: [message] } } })
}
