import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Bot, Globe, Link2 } from 'lucide-react'
import { creatorLink, FactsCard, RecordHead, timeOr } from '../../components/admin/facts'
import { LinkButton } from '../../components/ui/button'
import { formatCount } from '../../components/ui/format'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.collection.name ?? 'Collection'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'collection', async ({ services, actor }, id) => ({
    collection: await services.admin.collection(actor, id),
  }))
}

export default function Collection() {
  const { collection } = useLoaderData<typeof loader>()
  const filter = { collection_id: collection.id }
  return (
    <>
      <RecordHead name="collections" record={collection} title={collection.name}>
        <LinkButton to={paths.adminList('sources', filter)}>
          <Globe aria-hidden="true" />
          Sources
        </LinkButton>
        <LinkButton to={paths.adminList('urls', filter)}>
          <Link2 aria-hidden="true" />
          URLs
        </LinkButton>
        <LinkButton to={paths.adminList('agents', filter)}>
          <Bot aria-hidden="true" />
          Agents
        </LinkButton>
      </RecordHead>
      <FactsCard
        title="Details"
        facts={[
          ['ID', collection.id],
          ['Description', collection.description || 'No description'],
          ['Organization', collection.organization.name],
          ['Created by', creatorLink(collection.created_by_user)],
          ['Agent model', collection.agent_model ?? 'Not set'],
          ['Custom prompt', collection.agent_prompt ?? 'Not set'],
          ['Fragments', formatCount(collection.fragments)],
          ['Fragments without a vector', formatCount(collection.pending_embeddings)],
          ['Created at', timeOr(collection.created_at, '')],
        ]}
      />
    </>
  )
}
