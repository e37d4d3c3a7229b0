import type { LoaderFunctionArgs } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { lazy, Suspense } from 'react'
import { CreateKeychainForm } from '../../../components/keys/create-keychain'
import { SearchResults } from '../../../components/search/results'
import { SearchFilters } from '../../../components/search/search-filters'
import { SearchForm } from '../../../components/search/search-form'
import { SearchRefusal } from '../../../components/search/search-refusal'
import { useSmartSearch } from '../../../components/search/use-smart-search'
import { isBusy } from '../../../components/sources/progress-line'
import { useReloadWhile } from '../../../components/ui/browser/use-reload'
import { LinkButton } from '../../../components/ui/button'
import { Card, CardHead } from '../../../components/ui/card'
import { classes } from '../../../components/ui/classes'
import { Notice } from '../../../components/ui/feedback/notice'
import { dashboardSearchOf, searchOutcome } from '../../../http/api/dashboard-search.server'
import { dashboardLoader, loadErrors, orMessage, requireParam } from '../../../http/session/dashboard.server'
import { visitorLanguage } from '../../../http/session/visitor-language.server'

/** Loaded with the first question: what renders an answer weighs more than the rest of the page. */
const SmartAnswer = lazy(async () => ({
  default: (await import('../../../components/search/smart-answer')).SmartAnswer,
}))

/** Questions that the product's own manual answers. */
const manualQuestions = [
  'How do I add a website?',
  'What does the similarity threshold do?',
  'How are sources shown in an answer?',
]

const indexing = 'While the pages are being indexed, search already finds those that have been fetched.'

/** For the filter by source: as many as a page of a list can hold. */
const allSources = { page: 1, limit: 100 }

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const agent = await services.agents.get(actor, { organizationId, agentId: requireParam(args.params.agentId) })
    const { collection_id: collectionId } = agent
    if (!collectionId) return null
    const [publicKey, sources, languages] = await Promise.all([
      services.keychains.publicKey(actor, { organizationId, agentId: agent.id }),
      orMessage(services.sources.list(actor, { organizationId, collectionId }, allSources), loadErrors.sources),
      orMessage(services.addresses.languages(actor, organizationId, collectionId), loadErrors.urls),
    ])
    const sourceOptions = sources.docs.map(({ id, name }) => ({ id, name }))
    const { query, input, filters } = dashboardSearchOf(
      url.searchParams,
      sourceOptions.map(({ id }) => id),
    )
    const request = input && { ...input, preferredLanguage: visitorLanguage(args.request), isOnPage: true }
    return {
      agentId: agent.id,
      mayCreateKeys: agent.abilities.settings,
      publicKey,
      preparing: sources.docs.some(isBusy),
      canEmbed: (await services.embedding.stateOf(collectionId)).kind !== 'unavailable',
      query,
      filters,
      options: { sources: sourceOptions, languages },
      ...(await searchOutcome(
        request && (() => services.search.agent(actor, { organizationId, agentId: agent.id }, request)),
      )),
      questions: sources.docs.some((source) => source.url?.endsWith('/help/sitemap.xml')) ? manualQuestions : [],
    }
  })
}

export default function SmartSearch() {
  const data = useLoaderData<typeof loader>()
  const { state, ask } = useSmartSearch(data?.publicKey ?? null)
  useReloadWhile(data?.preparing ?? false)
  if (!data) return <NeedsCollection />
  const { query, filters, options, found, refusal, canEmbed, preparing, questions, publicKey } = data
  return (
    <section aria-label="Smart Search" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="sr-only">Smart Search</h2>
      {publicKey === null && (
        <Notice
          kind="info"
          title="No keychain created."
          action={data.mayCreateKeys && <CreateKeychainForm agentId={data.agentId} page="demo-search" />}
        >
          Answers need the public key of this agent.{' '}
          {data.mayCreateKeys ? 'Until you create it,' : 'Until an administrator of your organization creates it,'} this
          page finds passages only. {preparing && indexing}
        </Notice>
      )}
      <SearchForm
        query={query}
        placeholder="Ask in your own words"
        onSearch={publicKey === null ? undefined : ask}
        pending={state.kind === 'asking'}
      >
        {publicKey === null && <SearchFilters filters={filters} options={options} />}
      </SearchForm>
      {questions.length > 0 && (
        <div className={classes('flex flex-wrap items-center gap-2', found && 'max-sm:hidden')}>
          <span className="text-meta text-soft">Try:</span>
          {questions.map((question) => (
            <Link
              key={question}
              to={`?${new URLSearchParams({ q: question })}`}
              onClick={(event) => {
                if (publicKey === null) return
                event.preventDefault()
                ask(question)
              }}
              className="rounded-full border border-line-strong px-3 py-1 text-meta text-text no-underline hover:bg-sunken"
            >
              {question}
            </Link>
          ))}
        </div>
      )}
      {preparing && publicKey !== null && state.kind !== 'failed' && !refusal && (
        <Notice kind="info" title="The pages are being indexed">
          Search already finds the pages that have been fetched.
        </Notice>
      )}
      {state.kind !== 'idle' && (
        <Suspense>
          <SmartAnswer state={state} />
        </Suspense>
      )}
      {state.kind === 'idle' && refusal && <SearchRefusal message={refusal} />}
      {state.kind !== 'idle' ? null : found ? (
        <SearchResults
          found={found}
          durationMs={data.durationMs}
          canEmbed={canEmbed}
          isFiltered={Object.values(filters).some((value) => value !== '')}
        />
      ) : refusal ? null : (
        <p className="py-6 text-center text-soft">
          {publicKey === null
            ? 'Finds passages that answer your question, with semantic and keyword search. No provider key is needed.'
            : 'Answers your question as for a visitor of your website, above the fragments it is based on.'}
        </p>
      )}
    </section>
  )
}

function NeedsCollection() {
  return (
    <Card label="Smart Search">
      <CardHead title="Smart Search" />
      <div className="p-4">
        <Notice
          kind="warning"
          title="This agent needs a collection"
          action={
            <LinkButton to="?dialog=link" variant="primary">
              Link a Collection
            </LinkButton>
          }
        >
          Link a collection, then search in it here.
        </Notice>
      </div>
    </Card>
  )
}
