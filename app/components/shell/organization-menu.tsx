import { Form, Link, useSearchParams } from '@remix-run/react'
import { Building2, ChevronsUpDown, Pencil } from 'lucide-react'
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
  memberships: { organization_id: string; organization: { name: string } }[]
}

/** The current organization with its plan and the person's role. Opens to edit it or to select another one. */
export function OrganizationMenu({ organization, role, memberships, mayEditOrganization }: OrganizationMenuProps) {
  const [search] = useSearchParams()
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
      {mayEditOrganization ? (
        <Link
          to={withQuery(search, { dialog: 'organization', id: null })}
          preventScrollReset
          data-menu-item
          className={menuItemClasses}
        >
          <Pencil aria-hidden="true" />
          Edit organization
        </Link>
      ) : (
        <>
          <button
            type="button"
            aria-disabled="true"
            aria-describedby={reasonId}
            data-menu-item
            className={`${menuItemClasses} aria-disabled:opacity-50`}
          >
            <Pencil aria-hidden="true" />
            Edit organization
          </button>
          <p id={reasonId} className="max-w-52 px-2.5 pb-1 text-small text-soft">
            {reasons.administrator}
          </p>
        </>
      )}
    </Menu>
  )
}
