import { useSearchParams } from '@remix-run/react'
import { Globe, Plus } from 'lucide-react'
import type { Paged, Paging, Sort } from '../../../contract/values/paging'
import type { CollectionView } from '../../../contract/views/collection'
import type { SourceView } from '../../../contract/views/source'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { withQuery } from '../ui/browser/query'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { formatCount } from '../ui/format'
import { Pager } from '../ui/tables/pager'
import type { PageParameters } from '../ui/tables/paging'
import { type Column, Table } from '../ui/tables/table'
import { SourceRow } from './source-row'
import { useLiveSources } from './use-live-sources'

interface SourcesTableProps {
  collection: CollectionView
  sources: Paged<SourceView>
  paging: Paging
  sort: Sort | undefined
  names: PageParameters
  /** Whether fragments without an embedding will get one. */
  canEmbed: boolean
}

const columns: Column[] = [
  { title: 'Name', sort: 'name' },
  { title: 'Status', width: 'w-32', sort: 'status' },
  { title: 'URLs', width: 'w-24', number: true },
  { title: 'Last run', width: 'w-[35%]', sort: '-refreshed_at' },
  { title: 'Actions', width: 'w-44', hidden: true },
]

export function SourcesTable({ collection, sources: loaded, paging, sort, names, canEmbed }: SourcesTableProps) {
  const [search] = useSearchParams()
  const sources = useLiveSources(collection.id, loaded, { ...paging, sort })
  const add = (
    <AllowedLink
      allowed={collection.abilities.addSource}
      reason={reasons.viewer}
      to={withQuery(search, { dialog: 'add-source' })}
      variant="primary"
      icon={Plus}
    >
      Add source
    </AllowedLink>
  )
  return (
    <Card label="Sources">
      <CardHead title="Sources" count={formatCount(sources.total)}>
        {sources.total > 0 && add}
      </CardHead>
      {sources.total === 0 ? (
        <EmptyState icon={Globe} title="Add a first source" action={add}>
          A domain, a sitemap, one address or a file. Crawling starts right away.
        </EmptyState>
      ) : (
        <Table label="Sources" columns={columns} sort={sort} names={names}>
          {sources.docs.map((source) => (
            <SourceRow key={source.id} source={source} mayEdit={collection.abilities.addSource} canEmbed={canEmbed} />
          ))}
        </Table>
      )}
      <Pager label="sources" paging={paging} total={sources.total} pages={sources.pages} names={names} />
    </Card>
  )
}
