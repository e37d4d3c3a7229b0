import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { languageName } from '../../components/addresses/language-name'
import { OpenLink } from '../../components/admin/admin-list'
import { creatorLink, FactsCard, RecordHead, timeOr, yesNo } from '../../components/admin/facts'
import { AddressBadge } from '../../components/sources/source-status'
import { formatBytes, formatCount } from '../../components/ui/format'
import { adminDetail } from '../../http/session/admin.server'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.url.url ?? 'URL'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'URL', async ({ services, actor }, id) => ({
    url: await services.admin.url(actor, id),
  }))
}

export default function Url() {
  const { url } = useLoaderData<typeof loader>()
  return (
    <>
      <RecordHead name="urls" record={url} title={url.url} badge={<AddressBadge address={url} />}>
        <OpenLink url={url.url}>Open link</OpenLink>
      </RecordHead>
      <FactsCard
        title="Details"
        facts={[
          ['ID', url.id],
          ['Title', url.meta_title],
          ['Description', url.meta_description],
          ['Message', url.message],
          ['Organization', url.organization.name],
          ['Collection', url.collection.name],
          ['Source', url.source.name],
          ['Created by', creatorLink(url.created_by_user)],
          ['HTTP status', url.http_status === null ? null : String(url.http_status)],
          ['Content type', url.content_type],
          ['Size', url.bytes === null ? null : formatBytes(url.bytes)],
          ['Language', url.language && languageName(url.language)],
          ['Links from the start', formatCount(url.depth)],
          ['Found on', url.discovered_from],
          ['Indexed instead', url.canonical_url],
          ['Fragments', formatCount(url.fragments)],
          ['Failures in a row', formatCount(url.failures)],
          ['Ignored', yesNo(url.ignored)],
          ['Crawled at', timeOr(url.crawled_at, 'Not yet')],
          ['Updated at', timeOr(url.updated_at, '')],
          ['Created at', timeOr(url.created_at, '')],
        ]}
      />
    </>
  )
}
