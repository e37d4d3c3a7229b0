import {
  ArrowLeft,
  Bot,
  Building2,
  Globe,
  LayoutDashboard,
  Library,
  Link2,
  type LucideIcon,
  MessagesSquare,
  Users,
} from 'lucide-react'
import type { AdminListName } from '../../../contract/admin'
import { paths } from '../../paths'
import { isCurrentLink, SidebarLink, type SidebarTarget } from '../shell/sidebar-link'

export const listTitles: Record<AdminListName, string> = {
  users: 'Users',
  organizations: 'Organizations',
  agents: 'Agents',
  collections: 'Collections',
  sources: 'Sources',
  urls: 'URLs',
  threads: 'Threads',
}

export const listIcons: Record<AdminListName, LucideIcon> = {
  users: Users,
  organizations: Building2,
  agents: Bot,
  collections: Library,
  sources: Globe,
  urls: Link2,
  threads: MessagesSquare,
}

const overview: SidebarTarget = { to: paths.admin(), label: 'Overview', icon: LayoutDashboard, end: true }
const lists = (Object.keys(listTitles) as AdminListName[]).map((name) => ({
  to: paths.adminList(name),
  label: listTitles[name],
  icon: listIcons[name],
}))
const dashboard: SidebarTarget = { to: paths.dashboard(), label: 'Dashboard', icon: ArrowLeft, end: true }

/** The label of the section of the back office that a path belongs to. */
export function adminSectionOf(pathname: string): string {
  if (pathname === paths.adminHealth()) return 'Health'
  return lists.find((link) => isCurrentLink(link, pathname))?.label ?? overview.label
}

export function AdminSidebar({ pathname, collapsed }: { pathname: string; collapsed: boolean }) {
  return (
    <>
      {!collapsed && <p className="px-2.5 pt-1 pb-2 font-semibold text-meta text-soft">Admin Panel</p>}
      <ul className="grid gap-0.5">
        {[overview, ...lists].map((link) => (
          <SidebarLink key={link.to} link={link} pathname={pathname} collapsed={collapsed} />
        ))}
      </ul>
      <ul className="mt-2 border-t border-line pt-2">
        <SidebarLink link={dashboard} pathname={pathname} collapsed={collapsed} />
      </ul>
    </>
  )
}
