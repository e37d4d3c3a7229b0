import { Form, useNavigation, useSearchParams } from '@remix-run/react'
import { sourceTypeLabels } from '../../../contract/enumerations'
import type { SourceView } from '../../../contract/source'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { Button } from '../ui/button'
import { formatCount } from '../ui/format'
import { Progress } from '../ui/progress'
import { withQuery } from '../ui/query'
import { ActionsCell, Cell } from '../ui/table'
import { RelativeTime } from '../ui/time'
import { isBusy, progressLine, runLine } from './progress-line'
import { CrawlStatus } from './source-status'

export function SourceRow({ source, mayEdit }: { source: SourceView; mayEdit: boolean }) {
  const [search] = useSearchParams()
  const busy = isBusy(source)
  return (
    <tr>
      <Cell className="min-w-40 wrap-anywhere">
        <p className="break-words font-[570]">{source.name}</p>
        <p className="break-all text-small text-soft">{source.url ?? source.file_name}</p>
      </Cell>
      <Cell label="Type">{sourceTypeLabels[source.type]}</Cell>
      <Cell>
        <CrawlStatus status={source.status} />
      </Cell>
      <Cell label="Addresses" number>
        {formatCount(source.addresses)}
      </Cell>
      <Cell className="min-w-52 wrap-anywhere">{busy ? <Running source={source} /> : <AtRest source={source} />}</Cell>
      <ActionsCell>
        {busy ? (
          <SourceButton source={source} intent="cancel-source" allowed={mayEdit}>
            Cancel
          </SourceButton>
        ) : (
          <SourceButton source={source} intent="refresh-source" allowed={mayEdit}>
            Refresh
          </SourceButton>
        )}
        <AllowedLink
          allowed={mayEdit}
          reason={reasons.viewer}
          to={withQuery(search, { dialog: 'rename-source', id: source.id })}
          look="quiet"
          label={`Rename ${source.name}`}
        >
          Rename
        </AllowedLink>
        <AllowedLink
          allowed={mayEdit}
          reason={reasons.viewer}
          to={withQuery(search, { dialog: 'delete-source', id: source.id })}
          look="quiet-danger"
          label={`Delete ${source.name}`}
        >
          Delete
        </AllowedLink>
      </ActionsCell>
    </tr>
  )
}

function Running({ source }: { source: SourceView }) {
  const progress = source.progress
  return (
    <div className="grid gap-1.5 pt-1.5">
      <Progress label={`Progress of ${source.name}`} done={progress?.done ?? 0} total={progress?.total ?? 0} />
      <p className="text-small text-soft tabular-nums">{progress ? progressLine(progress) : 'Waiting for its turn'}</p>
      {progress?.current && <p className="max-w-72 truncate text-tiny text-soft">{progress.current}</p>}
    </div>
  )
}

function AtRest({ source }: { source: SourceView }) {
  return (
    <>
      {source.message && <p>{source.message}</p>}
      {source.message && source.status === 'fail' && (
        <a
          href={`${paths.help('crawling')}`}
          target="_blank"
          rel="noopener"
          className="text-accent-strong hover:underline"
        >
          What can I do?
        </a>
      )}
      {source.refreshed_at && (
        <p className="text-soft">
          <RelativeTime value={source.refreshed_at} />
        </p>
      )}
      {source.last_run && <p className="text-small text-soft">{runLine(source.last_run)}</p>}
    </>
  )
}

interface SourceButtonProps {
  source: SourceView
  intent: 'refresh-source' | 'cancel-source'
  allowed: boolean
  children: string
}

function SourceButton({ source, intent, allowed, children }: SourceButtonProps) {
  const navigation = useNavigation()
  const pending = navigation.formData?.get('intent') === intent && navigation.formData.get('id') === source.id
  if (!allowed) return null
  return (
    <Form method="post" preventScrollReset replace>
      <input type="hidden" name="id" value={source.id} />
      <Button look="quiet" name="intent" value={intent} pending={pending} aria-label={`${children} ${source.name}`}>
        {children}
      </Button>
    </Form>
  )
}
