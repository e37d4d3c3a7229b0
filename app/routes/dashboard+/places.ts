import type { LoaderFunctionArgs } from '@remix-run/node'
import type { FoundPlaces, Place } from '../../components/go-to/places'
import { helpGroups } from '../../components/help/groups'
import { dashboardLoader } from '../../http/session/dashboard.server'
import { paths } from '../../paths'

const maxOfKind = 6
const maxQueryLength = 100

/** The collections, agents and pages of the manual whose names contain the query. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const query = (url.searchParams.get('q') ?? '').trim().slice(0, maxQueryLength)
    const paging = { page: 1, limit: maxOfKind, search: query || undefined }
    const [collections, agents] = await Promise.all([
      services.collections.list(actor, organizationId, paging),
      services.agents.list(actor, organizationId, paging),
    ])
    const manual = helpGroups(services.manual.list()).flatMap(({ pages }) => pages)
    const help = manual.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
    const places: Place[] = [
      ...collections.docs.map(({ id, name }) => ({ kind: 'Collection' as const, name, to: paths.collection(id) })),
      ...agents.docs.map(({ id, name }) => ({ kind: 'Agent' as const, name, to: paths.agent(id) })),
      ...(query ? help.slice(0, maxOfKind) : []).map(({ title, to }) => ({ kind: 'Help' as const, name: title, to })),
    ]
    return { places } satisfies FoundPlaces
  })
}
