/** Why an action is disabled. The services decide who may do what; each view lists it in `abilities`. */
export const reasons = {
  viewer: 'Viewers cannot change this. Ask a member or an administrator of your organization.',
  administrator: 'Only administrators of your organization can do this.',
  lastAdministrator: 'You are its last administrator. Make another member an administrator first.',
} as const
