import { Form, Link, useSearchParams } from '@remix-run/react'
import { Building2, LogOut, type LucideIcon, Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { withQuery } from '../ui/browser/query'
import { menuItemClasses } from '../ui/menus/menu'

export interface OrganizationChoicesProps {
  /** Id of the selected organization. */
  selected: string
  memberships: { organization_id: string; organization: { name: string } }[]
}

/** Items of a menu: the organizations of the person, of which a click selects one, and a new one. */
export function OrganizationChoices({ selected, memberships }: OrganizationChoicesProps) {
  return (
    <div className="mb-1 border-b border-line pb-1">
      {memberships.length > 1 && (
        <Form method="post" action={paths.selectOrganization()}>
          {memberships.map(({ organization_id: id, organization }) => (
            <button
              type="submit"
              key={id}
              name="organizationId"
              value={id}
              data-menu-item
              aria-current={id === selected || undefined}
              className={menuItemClasses}
            >
              <Building2 aria-hidden="true" />
              <span className="truncate">{organization.name}</span>
            </button>
          ))}
        </Form>
      )}
      <DialogItem dialog="new-organization" icon={Plus}>
        New organization
      </DialogItem>
    </div>
  )
}

/** The item of the menu with which the person leaves the selected organization; disabled for its last administrator. */
export function LeaveItem({ isLastAdministrator }: { isLastAdministrator: boolean }) {
  const reasonId = useId()
  if (isLastAdministrator) {
    return (
      <>
        <button
          type="button"
          aria-disabled="true"
          aria-describedby={reasonId}
          data-menu-item
          className={`${menuItemClasses} aria-disabled:opacity-50`}
        >
          <LogOut aria-hidden="true" />
          Leave organization
        </button>
        <p id={reasonId} className="max-w-52 px-2.5 pb-1 text-meta text-soft">
          {reasons.lastAdministrator}
        </p>
      </>
    )
  }
  return (
    <DialogItem dialog="leave" icon={LogOut}>
      Leave organization
    </DialogItem>
  )
}

/** The item of the menu with which an administrator deletes the selected organization. */
export function DeleteItem() {
  return (
    <DialogItem dialog="delete-organization" icon={Trash2}>
      Delete organization
    </DialogItem>
  )
}

interface DialogItemProps {
  dialog: string
  icon: LucideIcon
  children: string
}

function DialogItem({ dialog, icon: Icon, children }: DialogItemProps) {
  const [search] = useSearchParams()
  return (
    <Link to={withQuery(search, { dialog, id: null })} preventScrollReset data-menu-item className={menuItemClasses}>
      <Icon aria-hidden="true" />
      {children}
    </Link>
  )
}
