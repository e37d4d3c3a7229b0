import type { LoaderFunctionArgs } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { searchSchema } from '../../../../contract/search'
import { SearchResults } from '../../../components/search/results'
import { SearchForm } from '../../../components/search/search-form'
import { isBusy } from '../../../components/sources/progress-line'
import { useReloadWhile } from '../../../components/ui/browser/use-reload'
import { LinkButton } from '../../../components/ui/button'
import { Card, CardHead } from '../../../components/ui/card'
import { Notice } from '../../../components/ui/feedback/notice'
import { dashboardLoader, loadErrors, orMessage, requireParam } from '../../../http/session/dashboard.server'
import { visitorLanguage } from '../../../http/session/visitor-language.server'

/** Questions that the product's own manual answers. */
const manualQuestions = [
  'How do I add a website?',
  'What does the similarity threshold do?',
  'How are sources shown in an answer?',
]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, url }) => {
    const agent = await services.agents.get(actor, { organizationId, agentId: requireParam(args.params.agentId) })
    if (!agent.collection_id)
      return { linked: false, preparing: false, canEmbed: false, query: '', found: null, questions: [] }
    const query = (url.searchParams.get('q') ?? '').trim()
    const search = searchSchema.safeParse({ query, agentId: agent.id })
    const sources = await orMessage(
      services.sources.list(actor, { organizationId, collectionId: agent.collection_id }, { page: 1, limit: 5 }),
      loadErrors.sources,
    )
    return {
      linked: true,
      preparing: sources.docs.some(isBusy),
      canEmbed: services.embedding.state().kind !== 'unavailable',
      query,
      found:
        query !== '' && search.success
          ? await orMessage(
              services.search.agent(
                actor,
                { organizationId, agentId: agent.id },
                {
                  query: search.data.query,
                  preferredLanguage: visitorLanguage(args.request),
                },
              ),
              loadErrors.search,
            )
          : null,
      questions: sources.docs.some((source) => source.url?.endsWith('/help/sitemap.xml')) ? manualQuestions : [],
    }
  })
}

export default function SmartSearch() {
  const { linked, preparing, canEmbed, query, found, questions } = useLoaderData<typeof loader>()
  useReloadWhile(preparing)
  return (
    <Card>
      <CardHead title="Smart Search" />
      <div className="grid gap-4 p-4 sm:p-5">
        {linked ? (
          <>
            <SearchForm query={query} placeholder="Ask in your own words" />
            {questions.length > 0 && (
              <div className="flex flex-wrap items-center gap-2">
                <span className="text-small text-soft">Try:</span>
                {questions.map((question) => (
                  <Link
                    key={question}
                    to={`?${new URLSearchParams({ q: question })}`}
                    className="rounded-full border border-line-strong px-3 py-1 text-small text-text no-underline hover:bg-sunken"
                  >
                    {question}
                  </Link>
                ))}
              </div>
            )}
            {preparing && (
              <Notice kind="info" title="The pages are being read">
                Search already finds the pages that have been read.
              </Notice>
            )}
            {found ? (
              <SearchResults found={found} query={query} canEmbed={canEmbed} />
            ) : (
              <p className="py-6 text-center text-soft">
                Finds passages that answer your question, with semantic and keyword search. No provider key is needed.
              </p>
            )}
          </>
        ) : (
          <Notice
            kind="warning"
            title="This agent needs a collection"
            action={
              <LinkButton to="?dialog=link" look="primary">
                Link a Collection
              </LinkButton>
            }
          >
            Link a collection, then search in it here.
          </Notice>
        )}
      </div>
    </Card>
  )
}
