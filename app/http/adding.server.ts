import type { OrganizationRole } from '../../contract/enumerations'

/** Whether 'Add new' is offered (specification, section 6). A list has no abilities of its own; the service decides. */
export function addingAllowed(role: OrganizationRole): boolean {
  return role !== 'viewer'
}

/** Whether the organization can be edited: its view carries no abilities. */
export function organizationEditingAllowed(role: OrganizationRole): boolean {
  return role === 'admin'
}

/** Whether deleting a thread is offered: threads carry no abilities either. */
export function threadDeletingAllowed(role: OrganizationRole): boolean {
  return role === 'admin'
}
