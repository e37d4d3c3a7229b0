import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Link2 } from 'lucide-react'
import { runSentence } from '../../../contract/texts/pages/run-sentence'
import { refreshIntervalLabels, sourceTypeLabels } from '../../../contract/values/enumerations'
import { OpenLink } from '../../components/admin/admin-list'
import { creatorLink, FactsCard, RecordHead, timeOr, yesNo } from '../../components/admin/facts'
import { problemOf } from '../../components/sources/source-problem'
import { SourceBadge } from '../../components/sources/source-status'
import { LinkButton } from '../../components/ui/button'
import { formatBytes, formatCount } from '../../components/ui/format'
import { adminDetail } from '../../http/session/admin.server'
import { paths } from '../../paths'
import { product } from '../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.source.name ?? 'Source'} · Admin Panel · ${product.name}` },
]

export function loader(args: LoaderFunctionArgs) {
  return adminDetail(args, 'source', async ({ services, actor }, id) => {
    const source = await services.admin.source(actor, id)
    const canEmbed = (await services.embedding.stateOf(source.collection_id)).kind !== 'unavailable'
    const report = source.last_run && runSentence(source.last_run)
    return { source, canEmbed, problem: problemOf(source), report }
  })
}

export default function Source() {
  const { source, canEmbed, problem, report } = useLoaderData<typeof loader>()
  const { options, last_run: run } = source
  return (
    <>
      <RecordHead
        name="sources"
        record={source}
        title={source.name}
        badge={<SourceBadge source={source} canEmbed={canEmbed} />}
      >
        <LinkButton to={paths.adminList('urls', { source_id: source.id })}>
          <Link2 aria-hidden="true" />
          URLs
        </LinkButton>
        <OpenLink url={source.url}>Open link</OpenLink>
      </RecordHead>
      <div className="grid gap-5">
        <FactsCard
          title="Details"
          facts={[
            ['ID', source.id],
            ['Type', sourceTypeLabels[source.type]],
            ['URL / Filename', source.url ?? source.file_name],
            ['Problem', problem],
            ['Organization', source.organization.name],
            ['Collection', source.collection.name],
            ['Created by', creatorLink(source.created_by_user)],
            ['URLs', formatCount(source.addresses)],
            ['Fragments without a vector', formatCount(source.pending_embeddings)],
            ['File size', source.file && formatBytes(source.file.bytes)],
            ['Refreshed at', timeOr(source.refreshed_at, 'Not yet')],
            ['Created at', timeOr(source.created_at, '')],
          ]}
        />
        <FactsCard
          title="Options"
          facts={[
            ['Include', options.include.join(', ')],
            ['Exclude', options.exclude.join(', ')],
            ['Keep', options.include_selectors.join(', ')],
            ['Remove', options.exclude_selectors.join(', ')],
            ['Maximum pages', options.max_pages === null ? 'Unlimited' : formatCount(options.max_pages)],
            ['Maximum depth', options.max_depth === null ? 'Unlimited' : formatCount(options.max_depth)],
            ['Refresh', refreshIntervalLabels[options.refresh_interval]],
            [
              'Crawl delay',
              options.crawl_delay_ms === null ? "The server's own" : `${formatCount(options.crawl_delay_ms)} ms`,
            ],
            ['Next refresh', timeOr(source.refresh_due_at, 'Not scheduled')],
            ['Request headers', options.header_names.join(', ')],
            ['Paused', yesNo(source.paused)],
          ]}
        />
        <FactsCard
          title="Last run"
          facts={
            run === null
              ? [['Run', 'No run yet']]
              : [
                  ['Started at', timeOr(run.started_at, '')],
                  ['Finished at', timeOr(run.finished_at, 'In progress')],
                  ['Report', report],
                ]
          }
        />
      </div>
    </>
  )
}
