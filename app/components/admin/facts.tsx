import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { AdminListName } from '../../../contract/admin'
import { paths } from '../../paths'
import { LinkButton } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { PageHead } from '../ui/page-head'
import { LocalTime } from '../ui/time'
import { listIcons, listTitles } from './admin-sidebar'

export type Fact = [name: string, value: ReactNode]

/** A card of names and values. Values that are missing are 'None'. */
export function FactsCard({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <Card label={title}>
      <CardHead title={title} />
      <Facts facts={facts} />
    </Card>
  )
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="grid grid-cols-[min(210px,38%)_minmax(0,1fr)] gap-x-4 gap-y-2.5 p-5 sm:gap-x-6">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
            {value === null || value === '' ? <span className="text-soft">None</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A time, or a placeholder. */
export function timeOr(time: string | null, none: string): ReactNode {
  return time === null ? none : <LocalTime value={time} />
}

export function yesNo(is: boolean): string {
  return is ? 'Yes' : 'No'
}

/** Who created something, as a link; null for the product itself, and for a deleted person. */
export function creatorLink(user: { id: string; email: string } | null): ReactNode {
  if (user === null) return null
  return (
    <Link to={paths.adminDetail('users', user.id)} className="text-accent-strong hover:underline">
      {user.email}
    </Link>
  )
}

interface RecordHeadProps {
  name: AdminListName
  title: string
  description?: string
  badge?: ReactNode
  /** The record, with the ids of what it belongs to. */
  record: {
    created_by_user: { id: string } | null
    organization_id: string
    collection_id?: string | null
    source_id?: string
    agent_id?: string | null
  }
  /** Other links. */
  children?: ReactNode
}

/** The head of a record's page: the way back to its list, and links to what the record belongs to. */
export function RecordHead({ name, title, description, badge, record, children }: RecordHeadProps) {
  const owners: [list: AdminListName, text: string, id: string | null | undefined][] = [
    ['users', 'User', record.created_by_user?.id],
    ['organizations', 'Organization', record.organization_id],
    ['collections', 'Collection', record.collection_id],
    ['sources', 'Source', record.source_id],
    ['agents', 'Agent', record.agent_id],
  ]
  return (
    <PageHead
      title={title}
      description={description}
      badge={badge}
      back={{ to: paths.adminList(name), label: listTitles[name] }}
    >
      {owners.map(([list, text, id]) => {
        const Icon = listIcons[list]
        return (
          id && (
            <LinkButton key={list} to={paths.adminDetail(list, id)}>
              <Icon aria-hidden="true" />
              {text}
            </LinkButton>
          )
        )
      })}
      {children}
    </PageHead>
  )
}

interface RelatedListsProps {
  label: string
  links: { name: AdminListName; to: string; text: string }[]
  children?: ReactNode
}

/** The links beside a record to the lists of what belongs to it. */
export function RelatedLists({ label, links, children }: RelatedListsProps) {
  return (
    <nav aria-label={label} className="rounded-large border border-line bg-surface p-2 shadow-low">
      <ul className="grid gap-0.5 max-lg:grid-cols-2 sm:max-lg:grid-cols-3">
        {links.map(({ name, to, text }) => {
          const Icon = listIcons[name]
          return (
            <li key={to}>
              <Link
                to={to}
                className="flex items-center gap-2.5 rounded-small px-2.5 py-[7px] font-medium text-soft no-underline hover:bg-sunken"
              >
                <Icon className="size-4 shrink-0" aria-hidden="true" />
                {text}
              </Link>
            </li>
          )
        })}
        {children}
      </ul>
    </nav>
  )
}

/** The cards of a record, with its links beside them where there is room. */
export function WithLinks({ links, children }: { links: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_220px]">
      <div className="grid min-w-0 grid-cols-1 gap-5">{children}</div>
      <div className="max-lg:row-start-1">{links}</div>
    </div>
  )
}
