/** Why something is disabled; who may do what is decided by the services and told by each view's abilities. */
export const reasons = {
  viewer: 'Viewers cannot change this. Ask a member or an administrator of your organization.',
  administrator: 'Only administrators of your organization can do this.',
} as const
