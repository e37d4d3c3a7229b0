import { useSearchParams } from '@remix-run/react'
import { Eye, type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Paged, Paging, Sort } from '../../../contract/values/paging'
import { reasons } from '../roles'
import { AllowedLink } from '../ui/allowed'
import { withoutDialog, withQuery } from '../ui/browser/query'
import { LinkButton } from '../ui/button'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { PageHead } from '../ui/page-head'
import { Pager } from '../ui/tables/pager'
import { ActionsCell, Cell, type Column, NameCell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

interface NamedRow {
  id: string
  name: string
  description: string
  created_at: string
  abilities: { edit: boolean; delete: boolean }
}

interface NamedListProps<Row extends NamedRow> {
  /** Title of the page. */
  title: string
  icon: LucideIcon
  rows: Paged<Row>
  paging: Paging
  sort: Sort | undefined
  add: { label: string; isAllowed: boolean }
  /** Shown in place of an empty list. */
  empty: { title: string; text: string }
  /** The column between name and time. */
  column: Column
  cell(row: Row): ReactNode
  /** Shown before the name. */
  mark?(row: Row): ReactNode
  /** Shown after the name. */
  badge?(row: Row): ReactNode
  pathOf(id: string): string
  /** Why links to edit and delete are disabled. */
  reason: string
  /** Returns the dialog that the URL names, for the row that it names. */
  dialog(name: string | null, row: Row | undefined, closeTo: string): ReactNode
}

/** A page that lists what has a name and a description, with dialogs to add, edit and delete. */
export function NamedList<Row extends NamedRow>(props: NamedListProps<Row>) {
  const { title, icon, rows, paging, sort, add, empty, column, dialog } = props
  const [search] = useSearchParams()
  const opened = rows.docs.find(({ id }) => id === search.get('id'))
  const addLink = (
    <AllowedLink
      allowed={add.isAllowed}
      reason={reasons.viewer}
      to={withQuery(search, { dialog: 'create' })}
      variant="primary"
      icon={Plus}
    >
      {add.label}
    </AllowedLink>
  )
  const columns: Column[] = [
    { title: 'Name', sort: 'name' },
    column,
    { title: 'Created', width: 'w-36', sort: '-created_at', extra: true },
    { title: 'Actions', width: 'w-64', hidden: true },
  ]
  return (
    <>
      <PageHead title={title}>{rows.total > 0 && addLink}</PageHead>
      <Card label={title}>
        {rows.total === 0 ? (
          <EmptyState icon={icon} title={empty.title} action={addLink}>
            {empty.text}
          </EmptyState>
        ) : (
          <Table label={title} columns={columns} sort={sort}>
            {rows.docs.map((row) => (
              <NamedRowView key={row.id} row={row} search={search} {...props} />
            ))}
          </Table>
        )}
        <Pager label={title.toLowerCase()} paging={paging} total={rows.total} pages={rows.pages} />
      </Card>
      {dialog(search.get('dialog'), opened, withoutDialog(search))}
    </>
  )
}

type NamedRowProps<Row extends NamedRow> = Pick<
  NamedListProps<Row>,
  'cell' | 'mark' | 'badge' | 'pathOf' | 'reason'
> & {
  row: Row
  search: URLSearchParams
}

function NamedRowView<Row extends NamedRow>({ row, search, cell, mark, badge, pathOf, reason }: NamedRowProps<Row>) {
  const { id, name, description, created_at: createdAt, abilities } = row
  return (
    <tr>
      <NameCell
        name={name}
        to={pathOf(id)}
        mark={mark?.(row)}
        badge={badge?.(row)}
        detail={<span title={description || undefined}>{description || 'No description'}</span>}
      />
      {cell(row)}
      <Cell extra className="text-soft">
        <RelativeTime value={createdAt} />
      </Cell>
      <ActionsCell isQuiet>
        <LinkButton to={pathOf(id)} variant="quiet" aria-label={`View ${name}`}>
          <Eye aria-hidden="true" />
          View
        </LinkButton>
        <AllowedLink
          allowed={abilities.edit}
          reason={reason}
          to={withQuery(search, { dialog: 'edit', id })}
          variant="quiet"
          icon={Pencil}
          label={`Edit ${name}`}
        >
          Edit
        </AllowedLink>
        <AllowedLink
          allowed={abilities.delete}
          reason={reason}
          to={withQuery(search, { dialog: 'delete', id })}
          variant="quiet-danger"
          icon={Trash2}
          label={`Delete ${name}`}
        >
          Delete
        </AllowedLink>
      </ActionsCell>
    </tr>
  )
}
