import { Link } from '@remix-run/react'
import type { AdminListName } from '../../../contract/admin'
import { paths } from '../../paths'
import { MiddleText } from '../ui/tables/middle-text'
import { Cell, type Column } from '../ui/tables/table'
import { LocalTime } from '../ui/time'

export const idColumn: Column = { title: 'ID', width: 'w-24', extra: true }
export const createdColumn: Column = { title: 'Created', width: 'w-40' }
export const sortedCreatedColumn: Column = { ...createdColumn, sort: '-created_at' }

/** The beginning of an id. The page of the details has the whole one. */
export function IdCell({ id }: { id: string }) {
  return (
    <Cell extra className="font-mono text-small text-soft">
      <span title={id}>{id.slice(0, 8)}</span>
    </Cell>
  )
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
      <Link to={paths.adminDetail(name, id)} className="block min-w-0 text-accent-strong hover:underline">
        <MiddleText text={text} />
      </Link>
    </Cell>
  )
}

export function CreatedCell({ time }: { time: string }) {
  return (
    <Cell card="hidden" className="text-soft tabular-nums">
      <LocalTime value={time} />
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
