import { type SubmissionResult, useForm } from '@conform-to/react'
import { Link, useNavigation } from '@remix-run/react'
import { BookOpen, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OrganizationView, Usage } from '../../../contract/views/organizations/organization'
import type { FailedSource, OverviewView } from '../../../contract/views/overview'
import { paths } from '../../paths'
import { product } from '../../product'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { Button, LinkButton } from '../ui/button'
import { Card } from '../ui/card'
import { classes } from '../ui/classes'
import { controlClasses, FieldErrors } from '../ui/forms/field'
import { OrganizationForm } from '../ui/forms/organization-form'

interface FirstStepsProps {
  overview: Pick<OverviewView, 'has_key' | 'has_tested_key' | 'first_agent' | 'collections' | 'failed_sources'>
  usage: Pick<Usage, 'sources' | 'urls'>
  abilities: OrganizationView['abilities']
  lastResult: SubmissionResult<string[]> | undefined
}

/** The welcome card until an agent has answered: three steps, each with its state and its one next action. */
export function FirstSteps({ overview, usage, abilities, lastResult }: FirstStepsProps) {
  const {
    has_key: hasKey,
    has_tested_key: isTested,
    first_agent: agent,
    collections,
    failed_sources: failed,
  } = overview
  // With only failed sources and no page from before there is nothing to answer from, often because of a typo.
  const hasSource = usage.urls > 0 || usage.sources > failed.total
  const [newest] = collections
  const current = !hasSource ? 1 : isTested ? 3 : 2
  return (
    <Card label="Welcome">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 p-4">
        <div className="min-w-0">
          <h2 className="text-lead font-semibold">Welcome to {product.name}</h2>
          <p className="mt-1 max-w-prose text-soft">Three steps to an answer from your own pages.</p>
        </div>
        <p className="text-meta text-soft tabular-nums">{[hasSource, isTested].filter(Boolean).length} of 3 done</p>
      </div>
      <ol className="grid border-t border-line lg:grid-cols-3">
        <Step number={1} title="Add a source" isDone={hasSource} isCurrent={current === 1}>
          {hasSource && newest ? (
            <LinkButton to={paths.collection(newest.id)}>Open {newest.name}</LinkButton>
          ) : (
            <div className="grid gap-3">
              {failed.docs[0] && <FailedSite source={failed.docs[0]} />}
              <AddSite mayAdd={abilities.addCollection} lastResult={lastResult} />
            </div>
          )}
        </Step>
        <Step number={2} title="Add a provider key" isDone={isTested} isCurrent={current === 2}>
          {!isTested && (
            <div className="grid justify-items-start gap-2">
              {hasKey ? (
                <p className="text-soft">A key is saved. This step is done when a test of the connection succeeds.</p>
              ) : (
                <p className="text-soft">
                  Enter a key and test the connection, or{' '}
                  <a
                    href={`${paths.help('agents')}#compatible-servers`}
                    className="text-accent-strong underline underline-offset-2"
                  >
                    use a local server
                  </a>
                  . Search works without a key.
                </p>
              )}
              <AllowedLink
                allowed={abilities.edit}
                reason={reasons.administrator}
                variant={current === 2 ? 'primary' : 'plain'}
                to={agent ? paths.agentSettings(agent.id) : '?dialog=provider-key'}
              >
                {hasKey ? 'Test the connection' : 'Add a key'}
              </AllowedLink>
            </div>
          )}
        </Step>
        <Step number={3} title="Ask a question" isDone={false} isCurrent={current === 3}>
          <Ask agent={agent} hasSource={hasSource} isCurrent={current === 3} mayAddAgent={abilities.addAgent} />
        </Step>
      </ol>
    </Card>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  isCurrent: boolean
  children: ReactNode
}

function Step({ number, title, isDone, isCurrent, children }: StepProps) {
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      className="flex gap-3.5 border-t border-line p-4 first:border-t-0 lg:block lg:border-t-0 lg:border-l lg:first:border-l-0"
    >
      <span
        className={classes(
          'grid size-7 shrink-0 place-items-center rounded-full text-meta font-semibold lg:mb-3',
          isDone ? 'bg-success-soft text-success' : isCurrent ? 'bg-accent text-on-accent' : 'bg-sunken text-soft',
        )}
      >
        {isDone ? <Check className="size-4" aria-hidden="true" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 flex-wrap items-center gap-x-2">
          <h3 className="font-semibold">{title}</h3>
          {isDone && <span className="text-meta text-success">Done</span>}
        </div>
        <div className="mt-1.5 empty:hidden">{children}</div>
      </div>
    </li>
  )
}

function FailedSite({ source }: { source: FailedSource }) {
  return (
    <p className="max-w-prose break-words">
      <span className="font-semibold">Sitelore could not read {source.name}.</span> {source.message}{' '}
      <Link
        to={paths.source(source.collection_id, source.id)}
        className="text-accent-strong underline underline-offset-2"
      >
        See the source
      </Link>
      , or enter another address.
    </p>
  )
}

interface AddSiteProps {
  mayAdd: boolean
  lastResult: SubmissionResult<string[]> | undefined
}

/** Creates a collection with the site as its source. */
function AddSite({ mayAdd, lastResult }: AddSiteProps) {
  const navigation = useNavigation()
  const [form, fields] = useForm<{ url: string }>({ id: 'first-site', lastResult, shouldRevalidate: 'onInput' })
  if (!mayAdd) return <p className="text-soft">{reasons.viewer}</p>
  const errors = fields.url.errors ?? form.errors
  const intent = navigation.formData?.get('intent')
  return (
    <div className="grid gap-3">
      <OrganizationForm action={`${paths.dashboard()}?index`} id={form.id} noValidate className="grid gap-1">
        <div className="flex flex-wrap gap-2">
          <input
            id={fields.url.id}
            name={fields.url.name}
            defaultValue={String(fields.url.initialValue ?? '')}
            aria-label="Address of your site"
            aria-invalid={errors ? true : undefined}
            aria-describedby={errors ? fields.url.errorId : undefined}
            autoComplete="url"
            inputMode="url"
            placeholder="example.com"
            className={classes(controlClasses, 'min-w-0 max-w-sm flex-1 basis-48')}
          />
          <Button variant="primary" name="intent" value="add-site" pending={intent === 'add-site'}>
            Add your site
          </Button>
        </div>
        <FieldErrors id={fields.url.errorId} errors={errors} />
      </OrganizationForm>
      <OrganizationForm action={paths.tryManual()}>
        <Button variant="link" pending={navigation.formAction === paths.tryManual()}>
          <BookOpen aria-hidden="true" />
          Try it with this product's own manual
        </Button>
      </OrganizationForm>
    </div>
  )
}

interface AskProps {
  agent: OverviewView['first_agent']
  hasSource: boolean
  isCurrent: boolean
  mayAddAgent: boolean
}

function Ask({ agent, hasSource, isCurrent, mayAddAgent }: AskProps) {
  const navigation = useNavigation()
  const variant = isCurrent ? 'primary' : 'plain'
  if (agent) {
    return (
      <LinkButton to={paths.agent(agent.id)} variant={variant}>
        Open the chat
      </LinkButton>
    )
  }
  if (!hasSource) return <p className="text-soft">An agent answers from the pages of your source and cites them.</p>
  if (!mayAddAgent) return <p className="text-soft">{reasons.viewer}</p>
  return (
    <OrganizationForm action={`${paths.dashboard()}?index`}>
      <Button variant={variant} name="intent" value="ask" pending={navigation.formData?.get('intent') === 'ask'}>
        Open the chat
      </Button>
    </OrganizationForm>
  )
}
