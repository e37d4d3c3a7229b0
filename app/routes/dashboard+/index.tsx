import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { BookOpen, Library } from 'lucide-react'
import { userTypes } from '../../../contract/enumerations'
import { EmbeddingNotice } from '../../components/organizations/embedding-notice'
import { greetingFor } from '../../components/organizations/greeting'
import { UsageMeters } from '../../components/organizations/usage-meters'
import { Button, LinkButton } from '../../components/ui/button'
import { Card, CardHead } from '../../components/ui/card'
import { canAdd } from '../../http/session/abilities.server'
import { dashboardLoader, loadErrors, orMessage } from '../../http/session/dashboard.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction = () => [{ title: `Dashboard · ${product.name}` }]

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, user, organization, organizationId, role }) => ({
    greeting: greetingFor(user),
    organization,
    usage: await orMessage(services.organizations.usage(actor, organizationId), loadErrors.usage),
    embedding: services.embedding.state(),
    mayAdd: canAdd(role),
    isStaff: user.type === userTypes.staff,
  }))
}

export default function Dashboard() {
  const { greeting, organization, usage, embedding, mayAdd, isStaff } = useLoaderData<typeof loader>()
  const empty = usage.collections === 0
  return (
    <div className="grid gap-5">
      <h1 className="text-title font-[650] tracking-tight">{greeting}</h1>
      <EmbeddingNotice state={embedding} />
      <Card label="Welcome">
        <div className="p-5 sm:p-6">
          <h2 className="text-lead font-[650]">Welcome to {product.name}</h2>
          <p className="mt-1 max-w-prose text-read text-soft">
            {empty
              ? 'Start with a collection: add a site, then search its pages and ask questions about them.'
              : 'Search your collections, ask your agents, or add another site.'}
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            <LinkButton
              to={empty && mayAdd ? `${paths.collections()}?dialog=create` : paths.collections()}
              look="primary"
            >
              <Library aria-hidden="true" />
              {empty ? 'Add a collection' : 'Open collections'}
            </LinkButton>
            {empty && mayAdd && <TryManual />}
          </div>
        </div>
      </Card>
      <Card>
        <CardHead title="Usage" />
        <UsageMeters usage={usage} organization={organization} isStaff={isStaff} />
      </Card>
    </div>
  )
}

function TryManual() {
  const navigation = useNavigation()
  return (
    <Form method="post" action={paths.tryManual()}>
      <Button pending={navigation.formAction === paths.tryManual()}>
        <BookOpen aria-hidden="true" />
        Try it with this product's own manual
      </Button>
    </Form>
  )
}
