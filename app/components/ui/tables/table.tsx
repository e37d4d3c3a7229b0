import type { ReactNode } from 'react'
import { classes } from '../classes'

interface TableProps {
  label: string
  columns: { title: string; number?: boolean; hidden?: boolean }[]
  children: ReactNode
}

/** A table whose rows become cards if it is narrow. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-frame">
      <table className="table-cards w-full border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={column.number ? 'number' : undefined}>
                {column.hidden ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

interface CellProps {
  children?: ReactNode
  /** Shown before the value when the row is a card, which has no column headers. */
  label?: string
  number?: boolean
  className?: string
}

export function Cell({ children, label, number, className }: CellProps) {
  return (
    <td data-label={label} className={classes(number && 'number', className)}>
      {children}
    </td>
  )
}

/** The last cell of a row, with its actions. */
export function ActionsCell({ children }: { children: ReactNode }) {
  return (
    <td>
      <div className="actions">{children}</div>
    </td>
  )
}
