import type { AddressView } from '../../../contract/views/address'
import { exclusionReasons } from '../crawling/frontier/exclusions'
import { shownStatus, type VisitRow } from '../runs/visits'
import type { SourceRow } from '../source-rows/source-settings'
import type { AddressRow, AddressWithParents } from './find-address'

type Schedule = Pick<SourceRow, 'refreshDueAt' | 'pausedAt'>

export function addressView({
  address: row,
  visit,
  source,
  collection,
  organization,
}: AddressWithParents): AddressView {
  // During a visit, what was said before may not hold any more.
  const { reason, message } = visit ?? row
  return {
    id: row.id,
    url: row.url,
    status: shownStatus(row, visit),
    reason,
    message,
    http_status: visit?.httpStatus ?? row.httpStatus,
    content_type: row.contentType,
    bytes: row.bytes,
    language: row.language,
    depth: row.depth,
    discovered_from: row.discoveredFrom,
    canonical_url: row.canonicalUrl,
    meta_title: row.metaTitle,
    meta_description: row.metaDescription,
    fragments: row.fragments,
    failures: row.failures + (visit?.attempts ?? 0),
    ignored: row.ignoredAt !== null,
    crawled_at: row.crawledAt?.toISOString() ?? null,
    fetched_at: row.fetchedAt?.toISOString() ?? null,
    changed_at: row.changedAt?.toISOString() ?? null,
    author: row.author,
    published_at: row.publishedAt?.toISOString() ?? null,
    modified_at: row.modifiedAt?.toISOString() ?? null,
    next_fetch_at: nextFetchOf(row, visit, source)?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    source_id: row.sourceId,
    source: { name: source.name },
    collection_id: row.collectionId,
    collection,
    organization_id: row.organizationId,
    organization,
  }
}

/** When the run or the source fetches the address next; null if that is now, or if the address is excluded. */
function nextFetchOf({ reason, ignoredAt }: AddressRow, visit: VisitRow | null, source: Schedule): Date | null {
  if (visit) return visit.dueAt
  const isExcluded = ignoredAt !== null || reason === 'over-limit' || exclusionReasons.includes(reason ?? '')
  return isExcluded || source.pausedAt ? null : source.refreshDueAt
}
