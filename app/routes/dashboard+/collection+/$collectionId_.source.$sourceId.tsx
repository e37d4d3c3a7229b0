import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { sourceAddress } from '../../../../contract/texts/pages/source-address'
import { refreshIntervalLabels, sourceTypeLabels } from '../../../../contract/values/enumerations'
import type { SourceView } from '../../../../contract/views/source'
import { FileLine } from '../../../components/sources/files/file-line'
import { RunsTable } from '../../../components/sources/runs-table'
import { SourceHelp, SourceProblem } from '../../../components/sources/source-problem'
import { SourceProgress, stageOf } from '../../../components/sources/source-progress'
import { SourceBadge } from '../../../components/sources/source-status'
import { useReloadWhile } from '../../../components/ui/browser/use-reload'
import { LinkButton } from '../../../components/ui/button'
import { PageHead } from '../../../components/ui/page-head'
import { RelativeTime } from '../../../components/ui/time'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { redirectIfMissing } from '../../../http/session/redirect-if-missing.server'
import { paths } from '../../../paths'
import { product } from '../../../product'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Runs of ${data?.source.name ?? 'a source'} · ${product.name}` },
]

/** More than the number of runs that are kept. */
const allRuns = { page: 1, limit: 100 }

export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId }) => {
    const collectionId = requireParam(args.params.collectionId)
    const sourceId = requireParam(args.params.sourceId)
    const source = await redirectIfMissing(
      args.context,
      paths.collection(collectionId),
      'source',
      services.sources.get(actor, { organizationId, collectionId, sourceId }),
    )
    const [runs, collection] = await Promise.all([
      services.runControl.reports(actor, { organizationId, collectionId, sourceId }, allRuns),
      services.collections.get(actor, organizationId, collectionId),
    ])
    const canEmbed = (await services.embedding.stateOf(collectionId)).kind !== 'unavailable'
    return { source, runs: runs.docs, collection, canEmbed }
  })
}

export default function SourceRuns() {
  const { source, runs, collection, canEmbed } = useLoaderData<typeof loader>()
  const stage = stageOf(source, canEmbed)
  useReloadWhile(stage !== null)
  return (
    <>
      <PageHead
        title={source.name}
        badge={<SourceBadge source={source} canEmbed={canEmbed} />}
        description={<SourceFacts source={source} />}
        back={{ to: paths.collection(collection.id), label: collection.name }}
      >
        <LinkButton to={paths.addresses(collection.id, { source: source.id })}>Show its addresses</LinkButton>
      </PageHead>
      {stage !== null && (
        <div className="mb-5 max-w-prose">
          <SourceProgress source={source} canEmbed={canEmbed} />
        </div>
      )}
      {stage === null && source.message && (
        <div className="mb-5 flex flex-wrap items-center gap-x-3">
          <SourceProblem source={source} problem={source.message} />
          <SourceHelp source={source} />
        </div>
      )}
      <RunsTable source={source} runs={runs} />
    </>
  )
}

function SourceFacts({ source }: { source: SourceView }) {
  const { file, options, refresh_due_at: due } = source
  return (
    <>
      <span className="block break-all">
        {file ? (
          <FileLine source={source} file={file} />
        ) : (
          `${sourceTypeLabels[source.type]} · ${sourceAddress(source)}`
        )}
      </span>
      {file && (
        <span className="block">
          Uploaded <RelativeTime value={file.uploaded_at} />
        </span>
      )}
      {file?.replacement && (
        <span className="block break-all">“{file.replacement.name}” replaces it once it has been read.</span>
      )}
      <span className="block">
        Refresh: {refreshIntervalLabels[options.refresh_interval].toLowerCase()}
        {due && (
          <>
            , due <RelativeTime value={due} ahead />
          </>
        )}
      </span>
    </>
  )
}
