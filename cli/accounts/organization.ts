import { collectionSchema } from '../../contract/collection'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import { CommandError, UsageError } from '../io'

/**
 * The organization of a command: by name or id, else the only one. If there is none, creates 'Local', which the first
 * account joins.
 */
export async function chooseOrganization(app: App, wanted: string | undefined): Promise<string> {
  const all = await app.services.installation.organizations()
  if (wanted !== undefined) {
    const found = all.filter(({ id, name }) => id === wanted || name === wanted)
    if (found.length > 1)
      throw new UsageError(`Several organizations are named '${wanted}'. Use the id of one:\n${listed(found)}`)
    const [only] = found
    if (only) return only.id
    throw new UsageError(`There is no organization '${wanted}'.${all.length > 0 ? ` There are:\n${listed(all)}` : ''}`)
  }
  const [first, second] = all
  if (second) throw new UsageError(`There are several organizations. Choose one with --organization:\n${listed(all)}`)
  return first?.id ?? (await app.services.organizations.create(system, { name: 'Local', entity_name: '' })).id
}

/** The collection with this name or id, else the only one. */
export async function chooseCollection(
  app: App,
  organizationId: string,
  wanted: string | undefined,
): Promise<{ id: string; name: string }> {
  const all = await listCollections(app, organizationId)
  if (wanted !== undefined) {
    const found = collectionNamed(all, wanted)
    if (found) return found
    throw new UsageError(`There is no collection '${wanted}'.${all.length > 0 ? ` There are:\n${listed(all)}` : ''}`)
  }
  const [first, second] = all
  if (second) throw new UsageError(`There are several collections. Choose one with --collection:\n${listed(all)}`)
  if (first) return first
  throw new CommandError(
    'There is nothing to search yet. Index a site first, for example: sitelore index https://example.com',
  )
}

export async function listCollections(app: App, organizationId: string): Promise<{ id: string; name: string }[]> {
  return everyPage((page) => app.services.collections.list(system, organizationId, { page, limit: 100 }))
}

/** Finds by id or name, ignoring case if that is unambiguous. Throws a UsageError if it is ambiguous. */
export function collectionNamed(
  all: { id: string; name: string }[],
  wanted: string,
): { id: string; name: string } | undefined {
  const exact = all.filter(({ id, name }) => id === wanted || name === wanted)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (found.length > 1)
    throw new UsageError(`Several collections are named '${wanted}'. Use the id of one:\n${listed(found)}`)
  return found[0]
}

/** Creates a collection with the name in --collection. */
export async function makeCollection(
  app: App,
  organizationId: string,
  name: string,
): Promise<{ id: string; name: string }> {
  const input = collectionSchema.safeParse({ name })
  if (!input.success)
    throw new UsageError(`--collection: ${input.error.issues[0]?.message ?? 'This name cannot be used.'}`)
  return app.services.collections.create(system, organizationId, input.data)
}

/** Reads all pages of a list. */
export async function everyPage<Item>(
  read: (page: number) => Promise<{ docs: Item[]; pages: number }>,
): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page++) {
    const { docs, pages } = await read(page)
    all.push(...docs)
    if (page >= pages) return all
  }
}

export function listed(all: { id: string; name: string }[]): string {
  return all.map(({ id, name }) => `  ${name}  (${id})`).join('\n')
}
