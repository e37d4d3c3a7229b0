import type { Command } from 'commander'
import { auditActorName, auditChangeText } from '../../contract/texts/audit-log'
import { auditActions } from '../../contract/values/audit'
import type { AuditEventView } from '../../contract/views/organizations/audit'
import { system } from '../../server/actor'
import { type Cli, examples, globalsOf } from '../cli'
import { printJson, printLines } from '../io'
import { withApp } from '../open-app'
import { chooseOrganization } from './organization'

/** Adds `audit`. */
export function addAudit(program: Command, { io }: Cli): void {
  program
    .command('audit')
    .summary('show the audit log')
    .description(
      'Shows the newest 100 events of the installation: plans, accounts and deleted organizations. With --organization it shows those of one organization.',
    )
    .addHelpText('after', examples('audit', 'audit --organization Acme', 'audit --json'))
    .action(async (_options: object, command: Command) => {
      const { organization, json } = globalsOf(command)
      const events = await withApp(io, async (app) =>
        organization === undefined
          ? app.services.audit.listInstallation(system)
          : app.services.audit.list(system, await chooseOrganization(app, organization)),
      )
      if (json) return printJson(io, { events })
      printLines(io, events.length > 0 ? events.map(line) : ['Nothing is recorded yet.'])
    })
}

function line({ created_at: createdAt, actor, action, subject, changes }: AuditEventView): string {
  const fields = [createdAt.slice(0, 19), auditActorName(actor), auditActions[action], subject.name || subject.id]
  if (changes.length > 0) fields.push(changes.map(auditChangeText).join(', '))
  return fields.join('  ')
}
