import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { AdminListName } from '../../../contract/admin'
import { paths } from '../../paths'
import { MiddleText } from '../ui/tables/middle-text'
import { Cell, type Column } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

export const idColumn: Column = { title: 'ID', width: 'w-[5.75rem]', extra: true }
export const createdColumn: Column = { title: 'Created', width: 'w-36' }
export const sortedCreatedColumn: Column = { ...createdColumn, sort: '-created_at' }

/** The beginning of an id. The page of the details has the whole one. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}

export function IdCell({ id }: { id: string }) {
  return (
    <Cell extra className="font-mono text-meta text-soft">
      <span title={id}>{shortId(id)}</span>
    </Cell>
  )
}

/** A cell for a badge, which is not cut where a row is a card. */
export function BadgeCell({ children }: { children: ReactNode }) {
  return <Cell className="min-w-max">{children}</Cell>
}

interface NamedCellProps {
  name: AdminListName
  id: string
  text: string
  card?: 'hidden'
}

/** A link to what a row belongs to. */
export function NamedCell({ name, id, text, card }: NamedCellProps) {
  return (
    <Cell card={card}>
      <Link to={paths.adminDetail(name, id)} title={text} className="block truncate text-accent-strong hover:underline">
        {text}
      </Link>
    </Cell>
  )
}

export function CreatedCell({ time }: { time: string }) {
  return (
    <Cell card="hidden" className="text-soft tabular-nums">
      <RelativeTime value={time} />
    </Cell>
  )
}

/** A text on one line, with the whole text as its title. */
export function TextCell({ text, label, card }: { text: string | null; label?: string; card?: 'hidden' | 'line' }) {
  return (
    <Cell label={text === null ? undefined : label} card={card}>
      {text !== null && <MiddleText text={text} />}
    </Cell>
  )
}
