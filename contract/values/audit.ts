/** What the audit log records, with what a person reads. */
export const auditActions = {
  'organization.edited': 'Edited the organization',
  'organization.deleted': 'Deleted the organization',
  'organization.exported': 'Exported the organization',
  'organization.imported': 'Imported the organization',
  'organization.plan-assigned': 'Assigned a plan',
  'member.joined': 'Joined',
  'member.role-changed': 'Changed a role',
  'member.left': 'Left',
  'member.removed': 'Removed a member',
  'invitation.created': 'Created an invitation',
  'invitation.revoked': 'Revoked an invitation',
  'agent.edited': 'Edited an agent',
  'agent.deleted': 'Deleted an agent',
  'keychain.created': 'Created keys',
  'keychain.edited': 'Changed the rules of keys',
  'keychain.regenerated': 'Regenerated keys',
  'token.created': 'Created an access token',
  'token.revoked': 'Revoked an access token',
  'collection.model-changed': 'Changed the embedding model of a collection',
  'collection.deleted': 'Deleted a collection',
  'source.deleted': 'Deleted a source',
  'thread.deleted': 'Deleted a thread',
  'threads.deleted': 'Deleted threads',
  'thread.shared': 'Shared a thread',
  'thread.unshared': 'Stopped sharing a thread',
  'visitor.erased': 'Erased a visitor',
  'retention.applied': 'Deleted old data',
  'plan.edited': 'Edited a plan',
  'user.invited': 'Created a link to create an account',
  'user.reset': 'Created a link to set a new password',
  'user.second-factor-reset': 'Removed the second factors of an account',
  'user.promoted': 'Made an account a platform administrator',
  'user.demoted': 'Made a platform administrator a normal user',
  'user.deleted': 'Deleted an account',
  'content.read': 'Viewed content as the operator',
} as const
export type AuditAction = keyof typeof auditActions

export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

/**
 * 'command-line' is the operator on the server; 'schedule' is the server by itself; 'key' and 'visitor' are programs and
 * visitors with a key of an agent.
 */
export const auditActorKinds = ['person', 'key', 'visitor', 'command-line', 'schedule'] as const

/** How many days the log keeps an event at least, and by default, and how many events a list shows. */
export const auditLimits = { days: 90, maxDays: 730, listed: 100 } as const
