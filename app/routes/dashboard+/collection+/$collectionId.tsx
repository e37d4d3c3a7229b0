import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { defaultPageSizes } from '../../../../contract/values/limits'
import type { Paged } from '../../../../contract/values/paging'
import { addressSorts, sourceSorts } from '../../../../contract/values/sorts'
import type { AddressView } from '../../../../contract/views/address'
import type { SourceView } from '../../../../contract/views/source'
import type { SourceChoices, SourceOption } from '../../../components/addresses/address-filters'
import { AddressesTable } from '../../../components/addresses/addresses-table'
import { isBusyElsewhere } from '../../../components/addresses/is-busy-elsewhere'
import { AskCollection } from '../../../components/collections/ask-collection'
import { DeleteCollection } from '../../../components/collections/delete-collection'
import { EmbeddingModelCard } from '../../../components/collections/embedding-model-card'
import { WeakLanguageNotice } from '../../../components/collections/weak-language-notice'
import { useShowNotifications } from '../../../components/notifications/context'
import { reasons } from '../../../components/roles'
import { SearchFilters } from '../../../components/search/search-filters'
import { SearchForm, searchParameters } from '../../../components/search/search-form'
import { SearchRefusal } from '../../../components/search/search-refusal'
import { IconImage } from '../../../components/site-icon'
import { SourcesTable } from '../../../components/sources/sources-table'
import { withoutDialog, withQuery } from '../../../components/ui/browser/query'
import { useReloadWhile } from '../../../components/ui/browser/use-reload'
import { LinkButton } from '../../../components/ui/button'
import { EditDeleteLinks } from '../../../components/ui/edit-delete-links'
import { formatCount } from '../../../components/ui/format'
import { listSearchOf, withChosen } from '../../../components/ui/forms/list-search'
import { lazyComponent } from '../../../components/ui/lazy-component'
import { PageHead } from '../../../components/ui/page-head'
import { type PageSection, SectionNav } from '../../../components/ui/section-nav'
import { type PageParameters, pagingOf, sortOf } from '../../../components/ui/tables/paging'
import { handleAddressAction } from '../../../http/actions/address-actions.server'
import { handleCollectionAction } from '../../../http/actions/collection-actions.server'
import { handleModelChangeAction } from '../../../http/actions/model-change-actions.server'
import { handleSourceAction } from '../../../http/actions/source-actions.server'
import { addressFilterOf } from '../../../http/api/address-filter.server'
import { dashboardSearchOf, searchOutcome } from '../../../http/api/dashboard-search.server'
import { withSourceForm } from '../../../http/forms/source-form.server'
import {
  type DashboardCall,
  dashboardLoader,
  loadErrors,
  orMessage,
  requireParam,
  unreadAction,
} from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { visitorLanguage } from '../../../http/session/visitor-language.server'
import { paths } from '../../../paths'
import { product } from '../../../product'

const CollectionDialog = lazyComponent(
  async () => (await import('../../../components/collections/collection-dialog')).CollectionDialog,
)
const ChangeModelDialog = lazyComponent(
  async () => (await import('../../../components/collections/change-model-dialog')).ChangeModelDialog,
)
const SearchResults = lazyComponent(async () => (await import('../../../components/search/results')).SearchResults)
const DeleteSource = lazyComponent(async () => (await import('../../../components/sources/delete-source')).DeleteSource)
const AddSource = lazyComponent(async () => (await import('../../../components/sources/form/add-source')).AddSource)
const EditSource = lazyComponent(async () => (await import('../../../components/sources/form/edit-source')).EditSource)
const EditFileSource = lazyComponent(
  async () => (await import('../../../components/sources/form/edit-file-source')).EditFileSource,
)

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.collection.name ?? 'Collection'} · ${product.name}` },
]

const sourcePages: PageParameters = { page: 'sources', size: 'sources-size', sort: 'sources-sort' }

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const id = requireParam(args.params.collectionId)
    const collection = await redirectIfMissing(
      args.context,
      paths.collections(),
      'collection',
      services.collections.get(actor, organizationId, id),
    )
    const sourcePaging = pagingOf(args.request, defaultPageSizes.sources, sourcePages)
    const paging = pagingOf(args.request, defaultPageSizes.addresses)
    const sourceSort = sortOf(args.request, sourceSorts, sourcePages)
    const sort = sortOf(args.request, addressSorts)
    const filter = addressFilterOf(url.searchParams)
    const [sources, addresses, reasonCounts, languages, agents, model] = await Promise.all([
      orMessage(
        services.sources.list(actor, { organizationId, collectionId: id }, { ...sourcePaging, sort: sourceSort }),
        loadErrors.sources,
      ),
      orMessage(services.addresses.list(actor, organizationId, id, { ...paging, ...filter, sort }), loadErrors.urls),
      orMessage(services.addresses.reasons(actor, organizationId, id, filter), loadErrors.urls),
      orMessage(services.addresses.languages(actor, organizationId, id), loadErrors.urls),
      orMessage(services.agents.ofCollection(actor, organizationId, id), loadErrors.agents),
      services.modelChanges.get(actor, { organizationId, collectionId: id }),
    ])
    const { choices, sourcesOfAddresses } = await sourcesOfFilters(
      { services, actor, organizationId, url },
      { collectionId: id, listed: sources, addresses: addresses.docs },
    )
    const { query, input, filters } = dashboardSearchOf(
      url.searchParams,
      choices.sources.map(({ id }) => id),
    )
    const request = input && {
      ...input,
      collectionId: id,
      preferredLanguage: visitorLanguage(args.request),
      isOnPage: true,
    }
    const outcome = await searchOutcome(request && (() => services.search.collection(actor, organizationId, request)))
    const canEmbed = model.problem === null
    return {
      collection,
      hasAgent: agents.length > 0,
      model,
      sources,
      sourcePaging,
      sourceSort,
      sort,
      addresses,
      reasonCounts,
      paging,
      filter,
      sourceChoices: choices,
      query,
      searchFilters: filters,
      languages,
      ...outcome,
      canEmbed,
      indexingRate: services.sources.indexingRate(),
      isBusyElsewhere: isBusyElsewhere(sourcesOfAddresses, sources.docs, addresses.docs),
    }
  })
}

interface Shown {
  collectionId: string
  /** The page of the list of sources. */
  listed: Paged<SourceView>
  addresses: AddressView[]
}

/**
 * The sources to filter by: the latest, or those that the query searches for, and the chosen ones. And those of the
 * addresses. Loads only what the list of sources does not have.
 */
async function sourcesOfFilters(
  { services, actor, organizationId, url }: Pick<DashboardCall, 'services' | 'actor' | 'organizationId' | 'url'>,
  { collectionId, listed, addresses }: Shown,
): Promise<{ choices: SourceChoices; sourcesOfAddresses: SourceView[] }> {
  const ref = { organizationId, collectionId }
  const search = listSearchOf(url.searchParams)
  const found =
    search === undefined && listed.total <= listed.docs.length
      ? listed
      : await orMessage(services.sources.list(actor, ref, { page: 1, limit: 100, search }), loadErrors.sources)
  const known = new Map([...listed.docs, ...found.docs].map((source) => [source.id, source]))
  const chosen = [url.searchParams.get('source'), url.searchParams.get('in')].filter((id) => id !== null)
  const ofAddresses = [...new Set(addresses.map((address) => address.source_id))]
  const missing = [...chosen, ...ofAddresses].filter((id) => id !== '' && !known.has(id))
  const unlisted =
    missing.length > 0 ? await orMessage(services.sources.byIds(actor, ref, missing), loadErrors.sources) : []
  for (const source of unlisted) known.set(source.id, source)
  const sourcesOf = (ids: string[]) => ids.flatMap((id) => known.get(id) ?? [])
  return {
    choices: {
      sources: withChosen(found.docs, sourcesOf(chosen)).map(optionOf),
      search,
      isSearchable: search !== undefined || found.total > found.docs.length,
    },
    sourcesOfAddresses: sourcesOf(ofAddresses),
  }
}

function optionOf({ id, name, url }: SourceView): SourceOption {
  return { id, name, url }
}

export function action(args: ActionFunctionArgs) {
  return unreadAction(args, async (visitor) => {
    const id = requireParam(args.params.collectionId)
    return withSourceForm(
      visitor,
      args.request,
      id,
      async (form, file) =>
        (await handleSourceAction(visitor, form, id, file)) ??
        (await handleAddressAction(visitor, form, id)) ??
        (await handleModelChangeAction(visitor, form, id)) ??
        (await handleCollectionAction(visitor, form, id)),
    )
  })
}

export { clientAction } from '../../../components/ui/browser/client-action'

export default function Collection() {
  const {
    collection,
    sources,
    addresses,
    paging,
    filter,
    query,
    searchFilters,
    languages,
    found,
    canEmbed,
    model,
    ...data
  } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  useShowNotifications(actionData?.notifications)
  // Only the listed sources are live.
  useReloadWhile(data.isBusyElsewhere || model.change !== null)
  const sections: PageSection[] = [
    ...(collection.fragments > 0 ? [{ id: 'search', title: 'Search' }] : []),
    { id: 'sources', title: 'Sources', count: formatCount(sources.total) },
    { id: 'addresses', title: 'Addresses', count: formatCount(addresses.total) },
    { id: 'model', title: 'Model' },
  ]
  return (
    <>
      <PageHead
        title={collection.name}
        mark={<IconImage src={paths.collectionIcon(collection.id, collection.name)} large />}
        description={collection.description || 'No description'}
        back={{ to: paths.collections(), label: 'Collections' }}
      >
        {collection.fragments > 0 && (data.hasAgent || collection.abilities.addSource) && (
          <AskCollection id={collection.id} />
        )}
        <EditDeleteLinks abilities={collection.abilities} reason={reasons.viewer} search={search} />
      </PageHead>
      <SectionNav sections={sections} />
      <WeakLanguageNotice model={model} mayEdit={collection.abilities.edit} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {collection.fragments > 0 && (
          <section id="search" aria-label="Search" className="section-start grid grid-cols-[minmax(0,1fr)] gap-3">
            <h2 className="sr-only">Search</h2>
            <SearchForm
              query={query}
              placeholder={`Search in ${collection.name}`}
              parameters={[...search].filter(([name]) => ![...searchParameters, 'dialog', 'id'].includes(name))}
            >
              <SearchFilters filters={searchFilters} options={{ sources: data.sourceChoices.sources, languages }} />
            </SearchForm>
            {data.refusal && <SearchRefusal message={data.refusal} />}
            {found && (
              <>
                <SearchResults
                  found={found}
                  durationMs={data.durationMs}
                  canEmbed={canEmbed}
                  isFiltered={Object.values(searchFilters).some((value) => value !== '')}
                />
                <LinkButton
                  to={withQuery(search, Object.fromEntries(searchParameters.map((name) => [name, null])))}
                  variant="quiet"
                  className="justify-self-start"
                  preventScrollReset
                >
                  Close results
                </LinkButton>
              </>
            )}
          </section>
        )}
        <div id="sources" className="section-start">
          <SourcesTable
            collection={collection}
            sources={sources}
            paging={data.sourcePaging}
            sort={data.sourceSort}
            names={sourcePages}
            canEmbed={canEmbed}
          />
        </div>
        <div id="addresses" className="section-start">
          <AddressesTable
            addresses={addresses}
            paging={paging}
            sort={data.sort}
            filter={filter}
            choices={data.sourceChoices}
            reasons={data.reasonCounts}
            mayEdit={collection.abilities.addSource}
          />
        </div>
        <div id="model" className="section-start">
          <EmbeddingModelCard collection={collection} model={model} mayEdit={collection.abilities.edit} />
        </div>
      </div>
      <OpenDialog />
    </>
  )
}

/** The dialog that the query names, if the person's role may use it. */
function OpenDialog() {
  const { collection, sources, model } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const [search] = useSearchParams()
  const shared = { closeTo: withoutDialog(search), lastResult: actionData?.result }
  const { abilities } = collection
  const source = abilities.addSource ? sources.docs.find(({ id }) => id === search.get('id')) : undefined
  switch (search.get('dialog')) {
    case 'edit':
      return abilities.edit && <CollectionDialog collection={collection} {...shared} />
    case 'delete':
      return abilities.delete && <DeleteCollection collection={collection} closeTo={shared.closeTo} />
    case 'embedding-model':
      return abilities.edit && !model.change && <ChangeModelDialog collection={collection} model={model} {...shared} />
    case 'add-source':
      return abilities.addSource && <AddSource collectionId={collection.id} {...shared} />
    case 'edit-source':
      if (source?.file) return <EditFileSource key={source.id} source={source} file={source.file} {...shared} />
      return source ? <EditSource key={source.id} source={source} {...shared} /> : null
    case 'delete-source':
      return source ? <DeleteSource source={source} closeTo={shared.closeTo} /> : null
    default:
      return null
  }
}
