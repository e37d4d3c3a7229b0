import { CircleGauge, Database, KeyRound, ScrollText, SlidersHorizontal, Users } from 'lucide-react'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { paths } from '../../paths'
import type { SidebarTarget } from './sidebar-link'

/** The pages of an organization's settings that a person may open. */
export function settingsLinks({ manageMembers, readAudit }: OrganizationView['abilities']): SidebarTarget[] {
  return [
    { to: paths.settings(), label: 'General', icon: SlidersHorizontal, end: true },
    ...(manageMembers ? [{ to: paths.members(), label: 'Members', icon: Users }] : []),
    { to: paths.settingsProvider(), label: 'Provider', icon: KeyRound },
    { to: paths.settingsUsage(), label: 'Plan and usage', icon: CircleGauge },
    { to: paths.settingsData(), label: 'Data', icon: Database },
    ...(readAudit ? [{ to: paths.audit(), label: 'Audit log', icon: ScrollText }] : []),
  ]
}
