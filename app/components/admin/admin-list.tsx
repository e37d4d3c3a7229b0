import { Link, useLocation, useOutlet, useSearchParams } from '@remix-run/react'
import { ExternalLink, Eye, type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminFilter, AdminListName } from '../../../contract/admin'
import type { Paged, Paging, Sort } from '../../../contract/values/paging'
import { paths } from '../../paths'
import { buttonClasses, LinkButton } from '../ui/button'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { formatCount } from '../ui/format'
import { PageHead } from '../ui/page-head'
import { Pager } from '../ui/tables/pager'
import { type Column, Table } from '../ui/tables/table'
import { listIcons, listTitles } from './admin-sidebar'

interface AdminListProps<Row> {
  name: AdminListName
  list: Paged<Row>
  paging: Paging
  sort: Sort
  filter: Partial<Record<AdminFilter, string>>
  columns: Column[]
  /** One row of the table. */
  children(row: Row): ReactNode
}

/**
 * A list of the back office: its filter, its table and its pages. The details of a row open beside it where the window is
 * wide, and in its place elsewhere.
 */
export function AdminList<Row>({ name, list, paging, sort, filter, columns, children }: AdminListProps<Row>) {
  const details = useOutlet()
  const content = (
    <>
      <PageHead title={listTitles[name]} badge={<span className="text-soft">{formatCount(list.total)}</span>} />
      <Filters name={name} filter={filter} />
      <Card label={listTitles[name]} className="linked-rows">
        {list.docs.length === 0 ? (
          <EmptyList name={name} />
        ) : (
          <Table label={listTitles[name]} columns={columns} sort={sort}>
            {list.docs.map(children)}
          </Table>
        )}
        <Pager label={name} paging={paging} total={list.total} pages={list.pages} />
      </Card>
    </>
  )
  if (!details) return content
  return (
    <div className="items-start gap-8 2xl:grid 2xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <aside aria-label={listTitles[name]} className="max-2xl:hidden">
        {content}
      </aside>
      <div className="min-w-0">{details}</div>
    </div>
  )
}

/** Shown in place of a list without rows. */
export function EmptyList({ name }: { name: AdminListName }) {
  return <EmptyState icon={listIcons[name]} title={`No ${name === 'urls' ? 'URLs' : name} found`} />
}

const filterTargets: Record<AdminFilter, { label: string; list: AdminListName }> = {
  created_by: { label: 'User', list: 'users' },
  organization_id: { label: 'Organization', list: 'organizations' },
  collection_id: { label: 'Collection', list: 'collections' },
  source_id: { label: 'Source', list: 'sources' },
  agent_id: { label: 'Agent', list: 'agents' },
}

/** What the list is filtered by, each with a link to it, and a way to see all rows. */
function Filters({ name, filter }: Pick<AdminListProps<unknown>, 'name' | 'filter'>) {
  const filters = Object.entries(filter) as [AdminFilter, string][]
  if (filters.length === 0) return null
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-soft">
      {filters.map(([field, id]) => (
        <span key={field} className="min-w-0 wrap-anywhere">
          {filterTargets[field].label}{' '}
          <Link
            to={paths.adminDetail(filterTargets[field].list, id)}
            className="font-mono text-meta text-accent-strong hover:underline"
          >
            {id}
          </Link>
        </span>
      ))}
      <LinkButton to={paths.adminList(name)} variant="quiet">
        <X aria-hidden="true" />
        Show all
      </LinkButton>
    </p>
  )
}

interface InspectProps {
  name: AdminListName
  id: string
  /** What is inspected, for screen readers. */
  label: string
  /** Where there is no room for the word. */
  iconOnly?: boolean
}

/** The link to the details of a row. */
export function Inspect({ name, id, label, iconOnly = false }: InspectProps) {
  const [search] = useSearchParams()
  const pathname = paths.adminDetail(name, id)
  const isOpen = useLocation().pathname === pathname
  return (
    <LinkButton
      aria-current={isOpen ? 'page' : undefined}
      // The list stays as it is sorted, filtered and paged.
      to={{ pathname, search: search.toString() }}
      variant="quiet"
      aria-label={`Inspect ${label}`}
      title={iconOnly ? 'Inspect' : undefined}
    >
      <Eye aria-hidden="true" />
      {!iconOnly && 'Inspect'}
    </LinkButton>
  )
}

/** A link to what a row belongs to, as an icon. Disabled without one, so that the others keep their places. */
export function OwnerLink({ name, id, label }: { name: AdminListName; id: string | null; label: string }) {
  const Icon: LucideIcon = listIcons[name]
  if (id === null)
    return (
      <button type="button" disabled aria-label={label} title="None" className={buttonClasses('quiet')}>
        <Icon aria-hidden="true" />
      </button>
    )
  return (
    <LinkButton to={paths.adminDetail(name, id)} variant="quiet" aria-label={label} title={label}>
      <Icon aria-hidden="true" />
    </LinkButton>
  )
}

/** Opens an address in a new tab. Disabled without one. */
export function OpenLink({ url, children }: { url: string | null; children?: ReactNode }) {
  const content = (
    <>
      <ExternalLink aria-hidden="true" />
      {children ?? <span className="sr-only">Open link</span>}
    </>
  )
  if (url === null || !/^https?:/.test(url))
    return (
      <button type="button" disabled title="No address" className={buttonClasses('quiet')}>
        {content}
      </button>
    )
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title="Open link"
      className={buttonClasses('quiet')}
    >
      {content}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
