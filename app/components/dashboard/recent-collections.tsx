import { Link } from '@remix-run/react'
import type { RecentCollection } from '../../../contract/views/overview'
import { paths } from '../../paths'
import { IconImage } from '../site-icon'
import { Card, CardHead } from '../ui/card'
import { StatusBadge } from '../ui/feedback/status-badge'
import { formatCount, formatCounted } from '../ui/format'
import { RelativeTime } from '../ui/time'

export function RecentCollections({ collections }: { collections: RecentCollection[] }) {
  return (
    <Card label="Recent collections">
      <CardHead title="Recent collections">
        <Link to={paths.collections()} className="text-accent-strong hover:underline">
          All collections
        </Link>
      </CardHead>
      <ul>
        {collections.map(({ id, name, sources, failed_sources: failed, addresses, refreshed_at: refreshedAt }) => (
          <li key={id} className="border-t border-line first:border-t-0">
            <Link
              to={paths.collection(id)}
              className="flex items-center gap-3 px-4 py-2.5 text-text no-underline hover:bg-sunken"
            >
              <IconImage src={paths.collectionIcon(id, name)} />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-meta text-soft">
                  {sources === 0
                    ? 'No sources yet'
                    : `${formatCounted(sources, 'source')} · ${formatCounted(addresses, 'URL')}`}
                </span>
              </span>
              {failed > 0 && <StatusBadge tone="danger">{`${formatCount(failed)} failed`}</StatusBadge>}
              {failed === 0 && refreshedAt && (
                <span className="shrink-0 text-right text-meta text-soft">
                  <RelativeTime value={refreshedAt} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
