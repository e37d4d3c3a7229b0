import type { AuditChange, AuditEventView } from '../views/organizations/audit'

const actorKinds = {
  person: 'A deleted account',
  key: 'A program with a key',
  visitor: 'A visitor of an agent',
  'command-line': 'Command line',
  schedule: 'Nightly cleanup',
} as const

/** The e-mail address of a person, or the kind of another actor. */
export function auditActorName({ kind, email }: AuditEventView['actor']): string {
  return email ?? actorKinds[kind]
}

/** 'role: viewer to member', or the name of the field alone. */
export function auditChangeText({ field, from, to }: AuditChange): string {
  const name = field.replaceAll('_', ' ')
  const values = [from, to].filter(Boolean).join(' to ')
  return values ? `${name}: ${values}` : name
}
