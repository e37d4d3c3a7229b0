import { withScheme } from '../contract/sources/source'
import { sourceAddress } from '../contract/texts/pages/source-address'
import type { SourceView } from '../contract/views/source'
import { system } from '../server/actor'
import type { App } from '../server/app'
import { chooseCollection, everyPage, listCollections } from './accounts/organization'
import { isSameAddress } from './address'
import { UsageError } from './io'

export interface Place {
  organizationId: string
  collection: { id: string; name: string }
}

export interface FoundSource extends Place {
  source: SourceView
}

/** All sources of the organization by collection, newest first. */
export async function allSources(app: App, organizationId: string): Promise<FoundSource[]> {
  const found: FoundSource[] = []
  for (const collection of await listCollections(app, organizationId)) {
    for (const source of await sourcesOf(app, organizationId, collection.id))
      found.push({ organizationId, collection, source })
  }
  return found
}

export function sourcesOf(app: App, organizationId: string, collectionId: string): Promise<SourceView[]> {
  return everyPage((page) => app.services.sources.list(system, { organizationId, collectionId }, { page, limit: 100 }))
}

/** The sources of a collection, which `wanted` names by name or id. Throws a UsageError if it does not exist. */
export async function sourcesIn(app: App, organizationId: string, wanted: string): Promise<FoundSource[]> {
  const collection = await chooseCollection(app, organizationId, wanted)
  const all = await sourcesOf(app, organizationId, collection.id)
  return all.map((source) => ({ organizationId, collection, source }))
}

/**
 * The source with this id, name or address, in one collection or in any. Throws a UsageError unless there is exactly
 * one.
 */
export async function findSource(
  app: App,
  organizationId: string,
  wanted: string,
  inCollection: string | undefined,
): Promise<FoundSource> {
  const all =
    inCollection === undefined
      ? await allSources(app, organizationId)
      : await sourcesIn(app, organizationId, inCollection)
  const found = all.filter(({ source: { id, name, file_name, url } }) => {
    return (
      id === wanted ||
      name === wanted ||
      file_name === wanted ||
      (url !== null && isSameAddress(url, withScheme(wanted)))
    )
  })
  const [only] = found
  if (only && found.length === 1) return only
  if (only)
    throw new UsageError(
      `Several sources match '${wanted}'. Use the id of one, or choose with --collection:\n${listed(found)}`,
    )
  throw new UsageError(`There is no source '${wanted}'.${all.length > 0 ? ` There are:\n${listed(all)}` : ''}`)
}

function listed(all: FoundSource[]): string {
  return all
    .map(
      ({ source, collection }) =>
        `  ${source.url ? sourceAddress(source) : source.name}  in ${collection.name}  (${source.id})`,
    )
    .join('\n')
}
