import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { addressBlocks, addresses } from '../../../../db/schema/addresses'
import { promoteReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import { clearFragments, maxFragmentsPerTransaction } from '../../fragments/delete-fragments'
import type { Indexes } from '../../fragments/fragments'
import type { RunContext } from '../../runs/run-context'
import { findClaimed, type Visit } from '../frontier/frontier'
import { endVisit, revisitAtOnce } from '../pages/apply-visit'
import { type Duplicate, decide } from '../pages/decide'
import { clearValidators, findDuplicate, isStoredInParts, mergeInto } from '../pages/duplicate-pages'
import type { ReadText } from '../pages/read-text'
import type { StagedDocument } from './document-parts'

interface Deps {
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
}

interface Stage {
  /** Number of committed fragments; null after they were cleared. */
  fragments: number | null
  /** The owner of the same text whose fragments were cleared. */
  clearedOwnerId: string | null
}

/**
 * Commits a document that was stored in parts, unless a preferred document has the same text. The duplicate is looked up
 * again in the last transaction, so that of two documents with the same text that end together only one keeps it.
 */
export async function finishDocument(
  { indexes, files }: Deps,
  run: RunContext,
  visit: Visit,
  text: ReadText,
  staged: StagedDocument,
): Promise<void> {
  await adoptFile(files, run, visit, text)
  const stage: Stage = { fragments: null, clearedOwnerId: null }
  const early = await run.db.write((tx) => findDuplicate(tx, run, visit.address, text))
  if (early?.isPreferred) await staged.clear()
  else stage.fragments = await staged.commit()
  for (;;) {
    const duplicate = await run.db.write((tx) => finish(tx, indexes, run, visit, text, stage))
    if (!duplicate) return
    if (duplicate.isPreferred) {
      await staged.clear()
      stage.fragments = null
    } else {
      await clearFragments(run.db, indexes, duplicate.owner)
      stage.clearedOwnerId = duplicate.owner.id
    }
  }
}

/** Parts cannot be rolled back once the commit starts: from here on a new file is the source's, also after a crash. */
async function adoptFile(files: Deps['files'], run: RunContext, visit: Visit, { columns }: ReadText): Promise<void> {
  const { url, discoveredFrom } = columns
  if (url === undefined) return
  const removedFiles = await run.db.write(async (tx) => {
    if (!(await findClaimed(tx, run, visit))) return []
    await tx.update(addresses).set({ url, discoveredFrom, fileIdentity: null }).where(eq(addresses.id, visit.addressId))
    return promoteReplacement(tx, run.source.id)
  })
  await files.removeBytes(removedFiles)
}

/** Returns the duplicate for which fragments have to be cleared before another attempt; null when finished. */
async function finish(
  tx: Transaction,
  indexes: Indexes,
  run: RunContext,
  visit: Visit,
  text: ReadText,
  { fragments, clearedOwnerId }: Stage,
): Promise<Duplicate | null> {
  const stored = await findClaimed(tx, run, visit)
  if (!stored) return null
  const { address } = stored
  const duplicate = await findDuplicate(tx, run, address, text)
  if (duplicate?.isPreferred && fragments !== null) return duplicate
  if (duplicate && !duplicate.isPreferred && clearedOwnerId !== duplicate.owner.id) {
    if (await mustBeCleared(tx, duplicate)) {
      await clearValidators(tx, duplicate.owner)
      return duplicate
    }
  }
  if (!duplicate?.isPreferred && fragments === null) {
    // The preferred document is gone meanwhile.
    await revisitAtOnce(tx, stored, { fragments: 0 })
    return null
  }
  const ofPages = { hasCanonical: false, isTrap: false }
  const visited = { source: run.source, visit, finding: text, ...ofPages, retryDelaysMs: [], now: new Date() }
  const change = decide({ ...visited, address, duplicate })
  if (change.kind !== 'end') return null
  await endVisit(tx, indexes, run, stored, change, async () => {
    if (change.takesFrom) await mergeInto(tx, indexes, run, address, change.takesFrom.owner)
    // Documents have no boilerplate, so that their blocks are not kept.
    await tx.delete(addressBlocks).where(eq(addressBlocks.addressId, address.id))
    return { added: 0, fragments: duplicate?.isPreferred ? 0 : (fragments ?? 0) }
  })
  return null
}

/** Whether the owner has more fragments than one transaction can delete. */
async function mustBeCleared(tx: Transaction, { owner }: Duplicate): Promise<boolean> {
  return owner.fragments > maxFragmentsPerTransaction && !(await isStoredInParts(tx, owner))
}
