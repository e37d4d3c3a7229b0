import { Link, useSearchParams } from '@remix-run/react'
import { ChevronsUpDown, type LucideIcon, Pencil, ScrollText, Users } from 'lucide-react'
import { useId } from 'react'
import { type OrganizationRole, roleLabels } from '../../../contract/values/enumerations'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { paths } from '../../paths'
import { reasons } from '../roles'
import { withQuery } from '../ui/browser/query'
import { Menu, menuItemClasses } from '../ui/menus/menu'
import { LeaveItem, OrganizationChoices, type OrganizationChoicesProps } from './organization-choices'

export interface OrganizationMenuProps extends Pick<OrganizationChoicesProps, 'memberships'> {
  /** Whether the menu is part of an open panel. */
  isInPanel?: boolean
  organization: OrganizationView
  role: OrganizationRole
  isLastAdministrator: boolean
}

/** The current organization with its plan and the person's role. Opens to select or create another one, and to edit it or its members. */
export function OrganizationMenu(props: OrganizationMenuProps) {
  const { organization, role, isLastAdministrator, memberships, isInPanel } = props
  const { edit, manageMembers, readAudit } = organization.abilities
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
      // The navigation of narrow screens is a panel itself, which would cut off a floating one.
      panelClassName={isInPanel ? 'mb-2.5' : undefined}
      summaryClassName={`${frame} hover:bg-sunken`}
      label={
        <>
          {label}
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden="true" />
        </>
      }
    >
      <OrganizationChoices selected={organization.id} memberships={memberships} />
      <ManagedItem isAllowed={edit} reasonId={reasonId} to={dialogAt('organization')} icon={Pencil}>
        Edit organization
      </ManagedItem>
      <ManagedItem isAllowed={manageMembers} reasonId={reasonId} to={paths.members()} icon={Users}>
        Members
      </ManagedItem>
      <ManagedItem isAllowed={readAudit} reasonId={reasonId} to={paths.audit()} icon={ScrollText}>
        Audit log
      </ManagedItem>
      {!(edit && manageMembers && readAudit) && (
        <p id={reasonId} className="max-w-52 px-2.5 pb-1 text-small text-soft">
          {reasons.administrator}
        </p>
      )}
      <LeaveItem isLastAdministrator={isLastAdministrator} />
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
