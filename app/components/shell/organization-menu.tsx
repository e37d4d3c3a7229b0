import { Form, Link, useSearchParams } from '@remix-run/react'
import { Building2, ChevronsUpDown, LogOut, type LucideIcon, Pencil, Users } from 'lucide-react'
import { useId } from 'react'
import { type OrganizationRole, roleLabels } from '../../../contract/enumerations'
import type { OrganizationView } from '../../../contract/views/organization'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { withQuery } from '../ui/browser/query'
import { Menu, menuItemClasses } from '../ui/menus/menu'

export interface OrganizationMenuProps {
  organization: OrganizationView
  role: OrganizationRole
  mayEditOrganization: boolean
  mayManageMembers: boolean
  memberships: { organization_id: string; organization: { name: string } }[]
}

/** The current organization with its plan and the person's role. Opens to edit it, its members, or to select another one. */
export function OrganizationMenu(props: OrganizationMenuProps) {
  const { organization, role, memberships, mayEditOrganization, mayManageMembers } = props
  const [search] = useSearchParams()
  const dialogAt = (dialog: string) => withQuery(search, { dialog, id: null })
  const reasonId = useId()
  const label = (
    <span className="block min-w-0 flex-1 text-left">
      <span className="sr-only">Organization: </span>
      <span className="block truncate font-[620] text-text">{organization.name}</span>
      <span className="mt-0.5 flex flex-wrap items-center gap-1.5 text-[0.78rem] text-soft">
        <span className="rounded-full bg-accent-soft px-2 font-[570] text-accent-strong">
          {organization.plan.display_name}
        </span>
        {roleLabels[role]}
      </span>
    </span>
  )
  const frame =
    'mb-2.5 flex w-full items-center gap-2 rounded-small border border-line-strong bg-surface px-3 py-2 shadow-low'
  return (
    <Menu
      summaryClassName={`${frame} hover:bg-sunken`}
      label={
        <>
          {label}
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden="true" />
        </>
      }
    >
      {memberships.length > 1 && (
        <Form method="post" action={paths.selectOrganization()} className="mb-1 border-b border-line pb-1">
          {memberships.map((membership) => (
            <button
              type="submit"
              key={membership.organization_id}
              name="organizationId"
              value={membership.organization_id}
              data-menu-item
              aria-current={membership.organization_id === organization.id || undefined}
              className={menuItemClasses}
            >
              <Building2 aria-hidden="true" />
              {membership.organization.name}
            </button>
          ))}
        </Form>
      )}
      <ManagedItem isAllowed={mayEditOrganization} reasonId={reasonId} to={dialogAt('organization')} icon={Pencil}>
        Edit organization
      </ManagedItem>
      <ManagedItem isAllowed={mayManageMembers} reasonId={reasonId} to={paths.members()} icon={Users}>
        Members
      </ManagedItem>
      {!(mayEditOrganization && mayManageMembers) && (
        <p id={reasonId} className="max-w-52 px-2.5 pb-1 text-small text-soft">
          {reasons.administrator}
        </p>
      )}
      <Link to={dialogAt('leave')} preventScrollReset data-menu-item className={menuItemClasses}>
        <LogOut aria-hidden="true" />
        Leave organization
      </Link>
    </Menu>
  )
}

interface ManagedItemProps {
  isAllowed: boolean
  /** Id of the text that says why it is not allowed. */
  reasonId: string
  to: string
  icon: LucideIcon
  children: string
}

/** A link of the menu, disabled for people who are not administrators. */
function ManagedItem({ isAllowed, reasonId, to, icon: Icon, children }: ManagedItemProps) {
  const content = (
    <>
      <Icon aria-hidden="true" />
      {children}
    </>
  )
  if (isAllowed) {
    return (
      <Link to={to} preventScrollReset data-menu-item className={menuItemClasses}>
        {content}
      </Link>
    )
  }
  return (
    <button
      type="button"
      aria-disabled="true"
      aria-describedby={reasonId}
      data-menu-item
      className={`${menuItemClasses} aria-disabled:opacity-50`}
    >
      {content}
    </button>
  )
}
