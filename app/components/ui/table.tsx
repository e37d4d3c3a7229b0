import type { ReactNode } from 'react'
import { classes } from './classes'

interface TableProps {
  label: string
  columns: { title: string; number?: boolean; hidden?: boolean }[]
  children: ReactNode
}

/** A table whose rows become cards on a narrow screen. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <table className="table-cards w-full border-collapse">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={classes(
                'bg-sunken px-4 py-2 text-left text-[0.78rem] font-[550] text-soft',
                column.number && 'text-right',
              )}
            >
              {column.hidden ? <span className="sr-only">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

interface CellProps {
  children?: ReactNode
  /** Named where the row is a card, without its column's head. */
  label?: string
  number?: boolean
  span?: number
  className?: string
}

export function Cell({ children, label, number, span, className }: CellProps) {
  return (
    <td
      data-label={label}
      colSpan={span}
      className={classes('border-t border-line px-4 py-2.5 align-top', number && 'text-right tabular-nums', className)}
    >
      {children}
    </td>
  )
}

/** A row's actions, at its end. */
export function ActionsCell({ children }: { children: ReactNode }) {
  return (
    <td className="border-t border-line px-4 py-2 align-top">
      <div className="flex flex-wrap gap-x-0.5 gap-y-1 max-sm:-ml-2 sm:flex-nowrap sm:justify-end [&_:is(a,button)]:px-2">
        {children}
      </div>
    </td>
  )
}
