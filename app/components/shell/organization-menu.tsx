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
      <span className="block truncate font-semibold text-text">{organization.name}</span>
      <span className="block truncate text-meta text-soft">
        {organization.plan.display_name} <span aria-hidden="true">·</span> {roleLabels[role]}
      </span>
    </span>
  )
  return (
    <Menu
      // The navigation of narrow screens is a panel itself, which would cut off a floating one.
      panelClassName={isInPanel ? 'mb-2.5' : undefined}
      summaryClassName="mb-3 flex w-full items-center gap-2.5 rounded-small p-2 hover:bg-sunken"
      label={
        <>
          <Initials name={organization.name} />
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
        <p id={reasonId} className="max-w-52 px-2.5 pb-1 text-meta text-soft">
          {reasons.administrator}
        </p>
      )}
      <LeaveItem isLastAdministrator={isLastAdministrator} />
    </Menu>
  )
}

/** The first letters of the first two words of a name. */
function Initials({ name }: { name: string }) {
  const words = name.split(/\s+/).slice(0, 2)
  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center rounded-[8px] bg-accent font-semibold text-[0.8125rem] text-on-accent uppercase"
    >
      {words.map((word) => Array.from(word)[0]).join('')}
    </span>
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
