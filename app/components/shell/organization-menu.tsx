import { Form } from '@remix-run/react'
import { Building2, ChevronsUpDown } from 'lucide-react'
import { roleLabels } from '../../../contract/enumerations'
import { type PlanName, planLabels } from '../../../contract/plan'
import { paths } from '../../paths'
import { Menu, menuItemClasses } from '../ui/menu'
import type { SidebarProps } from './sidebar'

/** Whose data this is, on which plan, in which role. A menu where the person belongs to several organizations. */
export function OrganizationMenu({
  organization,
  role,
  memberships,
}: Pick<SidebarProps, 'organization' | 'role' | 'memberships'>) {
  const plan = organization.plan.name
  const label = (
    <span className="block min-w-0 flex-1 text-left">
      <span className="block truncate font-[620] text-text">{organization.name}</span>
      <span className="mt-0.5 flex flex-wrap items-center gap-1.5 text-[0.78rem] text-soft">
        <span className="rounded-full bg-accent-soft px-2 font-[570] text-accent-strong">
          {isPlan(plan) ? planLabels[plan] : plan}
        </span>
        {roleLabels[role]}
      </span>
    </span>
  )
  const frame =
    'mb-2.5 flex w-full items-center gap-2 rounded-small border border-line-strong bg-surface px-3 py-2 shadow-low'
  if (memberships.length < 2) return <div className={frame}>{label}</div>
  return (
    <Menu
      name={`Organization: ${organization.name}`}
      summaryClassName={`${frame} hover:bg-sunken`}
      label={
        <>
          {label}
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden="true" />
        </>
      }
    >
      <Form method="post" action={paths.selectOrganization()}>
        {memberships.map((one) => (
          <button
            type="submit"
            key={one.organization_id}
            name="organizationId"
            value={one.organization_id}
            data-menu-item
            aria-current={one.organization_id === organization.id || undefined}
            className={menuItemClasses}
          >
            <Building2 aria-hidden="true" />
            {one.organization.name}
          </button>
        ))}
      </Form>
    </Menu>
  )
}

function isPlan(name: string): name is PlanName {
  return name in planLabels
}
