import { Link, useSearchParams } from '@remix-run/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Sort } from '../../../../contract/values/paging'
import { withQuery } from '../browser/query'
import { classes } from '../classes'
import { MiddleText } from './middle-text'
import { type PageParameters, pageParameters, sortText } from './paging'

export interface Column {
  title: string
  /** A class such as 'w-28'. Columns without one share the room that is left. */
  width?: string
  number?: boolean
  /** Its title is for screen readers only. */
  hidden?: boolean
  /** Shown only where the table is wide enough for all columns. */
  extra?: boolean
  /** What the column sorts by, descending first with a leading minus: 'name', '-created_at'. */
  sort?: string
}

interface TableProps {
  label: string
  columns: Column[]
  /** The order of the rows. */
  sort?: Sort
  names?: PageParameters
  children: ReactNode
}

/** A table with fixed columns, whose rows become cards if it is narrow. */
export function Table({ label, columns, sort, names, children }: TableProps) {
  return (
    <div className="table-frame">
      <table className="table-cards">
        <caption className="sr-only">{label}</caption>
        <colgroup>
          {columns.map(({ title, width, extra }) => (
            <col key={title} className={classes(width, extra && 'extra')} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} sort={sort} names={names} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

interface ColumnHeadProps {
  column: Column
  sort: Sort | undefined
  names: PageParameters | undefined
}

function ColumnHead({ column, sort, names }: ColumnHeadProps) {
  const { title, number, hidden, extra, sort: first } = column
  const isSorted = first !== undefined && sort?.field === first.replace('-', '')
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classes(number && 'number', extra && 'extra')}
    >
      {first !== undefined ? (
        <SortLink title={title} first={first} sort={isSorted ? sort : undefined} names={names} />
      ) : hidden ? (
        <span className="sr-only">{title}</span>
      ) : (
        title
      )}
    </th>
  )
}

interface SortLinkProps {
  title: string
  /** The order of the first click. */
  first: string
  /** Given if the table is sorted by this column. */
  sort: Sort | undefined
  names: PageParameters | undefined
}

function SortLink({ title, first, sort, names = pageParameters }: SortLinkProps) {
  const [search] = useSearchParams()
  const next = sort ? sortText({ ...sort, descending: !sort.descending }) : first
  const Arrow = sort?.descending ? ArrowDown : ArrowUp
  return (
    <Link
      to={withQuery(search, { [names.sort]: next, [names.page]: null })}
      preventScrollReset
      className="inline-flex items-center gap-1 rounded-small hover:text-text"
    >
      {title}
      {sort && <Arrow className="size-3.5" aria-hidden="true" />}
    </Link>
  )
}

interface CellProps {
  children?: ReactNode
  /** Shown before the value when the row is a card, which has no column headers. */
  label?: string
  number?: boolean
  /** For a column that is `extra`. */
  extra?: boolean
  /**
   * How a card shows the cell: not at all, or on a line of its own. Others share the second line, of which there are at
   * most two.
   */
  card?: 'hidden' | 'line'
  className?: string
}

/** A cell whose text stays on one line. */
export function Cell({ children, label, number, extra, card, className }: CellProps) {
  return (
    <td data-label={label} data-card={card} className={classes(number && 'number', extra && 'extra', className)}>
      {children}
    </td>
  )
}

interface NameCellProps {
  name: string
  /** The page of what the row shows. */
  to?: string
  /** The second line. A string is cut in the middle. */
  detail?: ReactNode
  /** Shown before the name. */
  mark?: ReactNode
  /** Shown after the name. */
  badge?: ReactNode
}

/** The first cell of a row: a name, cut in the middle where there is no room, over a line of detail. */
export function NameCell({ name, to, detail, mark, badge }: NameCellProps) {
  return (
    <td className="name">
      <div className="name-line flex min-w-0 items-center gap-2">
        {mark}
        {to === undefined ? (
          <span className="min-w-0 font-medium text-text">
            <MiddleText text={name} />
          </span>
        ) : (
          <Link to={to} className="min-w-0 font-medium text-text hover:underline">
            <MiddleText text={name} />
          </Link>
        )}
        {badge}
      </div>
      {detail && (
        <div className="detail-line truncate text-meta text-soft">
          {typeof detail === 'string' ? <MiddleText text={detail} /> : detail}
        </div>
      )}
    </td>
  )
}

interface ActionsCellProps {
  /** Shows them only where the row is pointed at or has the focus; on touch screens always. */
  isQuiet?: boolean
  children: ReactNode
}

/** The last cell of a row, with its actions. On a card they are icons. */
export function ActionsCell({ isQuiet = false, children }: ActionsCellProps) {
  return (
    <td className="actions-cell">
      <div className={classes('actions', isQuiet && 'on-demand')}>{children}</div>
    </td>
  )
}
