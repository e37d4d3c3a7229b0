import { and, eq } from 'drizzle-orm'
import { reasonText } from '../../../contract/reasons'
import type { AddressView } from '../../../contract/views/address'
import type { Database } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import type { Actor } from '../../actor'
import { createAdmission } from '../../engine/crawl/urls/admission'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import { hasBoilerplate } from '../crawling/boilerplate/detect-boilerplate'
import { enqueueBoilerplate } from '../crawling/boilerplate/enqueue-boilerplate'
import type { Frontier } from '../crawling/frontier/frontier'
import { revisitMerged } from '../crawling/pages/duplicate-pages'
import { clearFragments } from '../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../fragments/fragments'
import { createRun, latestRun } from '../runs/runs'
import { transitionSource } from '../runs/transitions'
import { closeVisits, openVisits } from '../runs/visits'
import { addressLimitReached } from '../usage/plan-limits'
import { countsTowardLimit } from '../usage/urls'
import { addressView } from './address-view'
import { type AddressRef, findAddress, selectAddresses } from './find-address'

export interface AddressActionDeps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'roomFor'>
}

/** Retries and ignores addresses. */
export function createAddressActions({ db, indexes, frontier }: AddressActionDeps) {
  /**
   * Fetches the address again, also an ignored one, in the current run or in one of its own. Throws conflict if the
   * source's options exclude it, and while the source only discovers addresses or cancels a run; quota_exceeded without
   * room for it.
   */
  async function retry(actor: Actor, ref: AddressRef): Promise<AddressView> {
    authorize(actor, 'source:edit', ref.organizationId)
    const { address, source } = await findAddress(db.read, ref)
    const exclusion = createAdmission(source).exclusionOf(address)
    if (exclusion) {
      throw new AppError(
        'conflict',
        `${reasonText(exclusion)} Retrying does not change that: change the options of the source, then refresh it.`,
      )
    }
    await db.writeAlone([source.organizationId, source.id], async (tx) => {
      const run = await latestRun(tx, source.id)
      if (run && !run.finishedAt && (run.kind === 'discover' || run.cancelledAt)) {
        throw new AppError('conflict', 'This source is busy with another task. Wait until it is done, then retry.')
      }
      const counts = (await tx.$count(addresses, and(eq(addresses.id, address.id), countsTowardLimit()))) > 0
      if (!counts && (await frontier.roomFor(tx, source, 1)) === 0) {
        throw addressLimitReached({ actor, organizationId: ref.organizationId })
      }
      const open = run && !run.finishedAt ? run.id : null
      const runId = open ?? (await createRun(tx, source, 'address'))
      // An address that was ignored is new again, also if the run ends before it.
      const noticed = address.ignoredAt ? { status: 'new' as const, ignoredAt: null, reason: null, message: null } : {}
      const columns = { etag: null, lastModified: null, fileIdentity: null, ...noticed }
      await tx.update(addresses).set(columns).where(eq(addresses.id, address.id))
      await openVisits(tx, runId, [address], { takesRoom: !counts && !address.ignoredAt })
      if (!open) await transitionSource(tx, source.id, 'retried', { reason: null, message: null })
    })
    return currentView(address.id)
  }

  /** Ignores the address until somebody retries it, and deletes its fragments at once. */
  async function ignore(actor: Actor, ref: AddressRef): Promise<AddressView> {
    authorize(actor, 'source:edit', ref.organizationId)
    const { address, source } = await findAddress(db.read, ref)
    await clearFragments(db, indexes, address)
    await db.writeAlone(source.id, async (tx) => {
      await replaceFragments(tx, indexes, address, [])
      await revisitMerged(tx, address, null)
      await closeVisits(tx, [address.id])
      await tx
        .update(addresses)
        .set({
          ...{ status: 'idle', ignoredAt: new Date(), reason: 'ignored', message: reasonText('ignored') },
          ...{ fragments: 0, textHash: null, etag: null, lastModified: null, fileIdentity: null },
        })
        .where(eq(addresses.id, address.id))
      // The address may have kept boilerplate for the source.
      if (hasBoilerplate(source)) await enqueueBoilerplate(tx, source)
    })
    return currentView(address.id)
  }

  async function currentView(id: string): Promise<AddressView> {
    const [row] = await selectAddresses(db.read).where(eq(addresses.id, id))
    if (!row) throw notFound()
    return addressView(row)
  }

  return { retry, ignore }
}
