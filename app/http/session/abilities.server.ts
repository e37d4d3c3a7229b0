import type { OrganizationRole } from '../../../contract/enumerations'

// Views carry their own abilities; these are for actions that no view describes. The services check them again.

/** Whether the role can add collections, agents and sources (specification, section 6). */
export function canAdd(role: OrganizationRole): boolean {
  return role !== 'viewer'
}

export function canEditOrganization(role: OrganizationRole): boolean {
  return role === 'admin'
}

/** Whether the role can see, invite and remove members, and change roles. */
export function canManageMembers(role: OrganizationRole): boolean {
  return role === 'admin'
}

export function canDeleteThread(role: OrganizationRole): boolean {
  return role === 'admin'
}
