import { Link } from '@remix-run/react'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { SourceProgress } from '../sources/source-progress'
import { SourceBadge } from '../sources/source-status'
import { Card, CardHead } from '../ui/card'

interface RunningCrawlsProps {
  crawls: SourceView[]
  /** Whether fragments without an embedding will get one. */
  canEmbed: boolean
}

/** Sources that are being crawled or indexed. */
export function RunningCrawls({ crawls, canEmbed }: RunningCrawlsProps) {
  return (
    <Card label="Running crawls">
      <CardHead title="Running crawls" />
      <ul>
        {crawls.map((source) => (
          <li key={source.id} className="grid gap-2 border-t border-line px-4 py-2.5 first:border-t-0">
            <div className="flex items-center justify-between gap-3">
              <Link
                to={paths.source(source.collection_id, source.id)}
                className="min-w-0 truncate font-medium text-text no-underline hover:underline"
              >
                {source.name}
              </Link>
              <SourceBadge source={source} canEmbed={canEmbed} />
            </div>
            <SourceProgress source={source} canEmbed={canEmbed} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
