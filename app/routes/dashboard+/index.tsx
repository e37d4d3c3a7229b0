import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { Library, Plus } from 'lucide-react'
import { useState } from 'react'
import { invalidState } from '../../../contract/texts/invalid-state'
import { userTypes } from '../../../contract/values/enumerations'
import { attentionItems } from '../../components/dashboard/attention'
import { NeedsAttention } from '../../components/dashboard/needs-attention'
import { QuestionsChart } from '../../components/dashboard/questions-chart'
import { RecentCollections } from '../../components/dashboard/recent-collections'
import { RecentQuestions } from '../../components/dashboard/recent-questions'
import { RunningCrawls } from '../../components/dashboard/running-crawls'
import { useShowNotifications } from '../../components/notifications/context'
import { EmbeddingNotice } from '../../components/organizations/embedding-notice'
import { greetingFor } from '../../components/organizations/greeting'
import { useReloadWhile } from '../../components/ui/browser/use-reload'
import { LinkButton } from '../../components/ui/button'
import { Card } from '../../components/ui/card'
import { lazyComponent } from '../../components/ui/lazy-component'
import { startOfNextMonth } from '../../components/usage/next-month'
import { UsageCard } from '../../components/usage/usage-card'
import { handleFirstStepsAction } from '../../http/actions/first-steps-actions.server'
import { dashboardAction, dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { orInvalidState } from '../../http/session/page.server'
import { paths } from '../../paths'
import { product } from '../../product'

const FirstSteps = lazyComponent(async () => (await import('../../components/dashboard/first-steps')).FirstSteps)

export const meta: MetaFunction = () => [{ title: `Dashboard · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organization, organizationId }) => {
    const [usage, history, overview] = await Promise.all([
      orMessage(
        orInvalidState(services.organizations.usage(actor, organizationId), invalidState.usage),
        loadErrors.usage,
      ),
      orMessage(services.organizations.usageHistory(actor, organizationId), loadErrors.usage),
      orMessage(services.overview.get(actor, organizationId), loadErrors.organization),
    ])
    return {
      greeting: greetingFor(user),
      organization,
      usage,
      history,
      overview,
      resetsAt: startOfNextMonth(new Date()).toISOString(),
      embedding: services.embedding.state(),
      isStaff: user.type === userTypes.staff,
    }
  })
}

/** Receives the steps of the welcome card. */
export function action(args: ActionFunctionArgs) {
  return dashboardAction(args, async (call, form) => handleFirstStepsAction(call, form))
}

export { clientAction } from '../../components/ui/browser/client-action'

export default function Dashboard() {
  const { greeting, organization, usage, history, overview, resetsAt, embedding, isStaff } =
    useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  useShowNotifications(actionData?.notifications)
  useReloadWhile(overview.crawls.length > 0)
  // The same greeting while the page loads its data again.
  const [shownGreeting] = useState(greeting)
  const { abilities, plan } = organization
  const { collections, crawls, questions, has_answer: hasAnswer } = overview
  const items = attentionItems({ overview, usage, plan, mayEdit: abilities.edit })
  // A new organization has nothing to say here yet.
  const isNew = collections.length === 0 && items.length === 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h1 className="break-words text-title font-semibold tracking-tight">{shownGreeting}</h1>
      <EmbeddingNotice state={embedding} />
      {hasAnswer ? (
        <Welcome mayAdd={abilities.addCollection} />
      ) : (
        <FirstSteps overview={overview} usage={usage} abilities={abilities} lastResult={actionData?.result} />
      )}
      {!isNew && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,372px)]">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <QuestionsChart days={overview.question_days} />
            {questions.length > 0 && <RecentQuestions questions={questions} />}
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            {crawls.length > 0 && <RunningCrawls crawls={crawls} canEmbed={embedding.kind !== 'unavailable'} />}
            <NeedsAttention items={items} />
            {collections.length > 0 && <RecentCollections collections={collections} />}
          </div>
        </div>
      )}
      <UsageCard usage={usage} organization={organization} history={history} resetsAt={resetsAt} isStaff={isStaff} />
    </div>
  )
}

/** The welcome card once an agent has answered. */
function Welcome({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Card label="Welcome">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-[0.9375rem] font-semibold">Welcome to {product.name}</h2>
          <p className="text-soft">
            Search your collections{mayAdd ? ', ask your agents, or add another site.' : ' or ask your agents.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton to={paths.collections()}>
            <Library aria-hidden="true" />
            Open collections
          </LinkButton>
          {mayAdd && (
            <LinkButton to={`${paths.collections()}?dialog=create`} variant="primary">
              <Plus aria-hidden="true" />
              Add a collection
            </LinkButton>
          )}
        </div>
      </div>
    </Card>
  )
}
