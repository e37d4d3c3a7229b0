import { Bot, LayoutDashboard, Library, MessagesSquare, Settings, ShieldCheck } from 'lucide-react'
import { paths } from '../../paths'
import { OrganizationMenu, type OrganizationMenuProps } from './organization-menu'
import { settingsLinks } from './settings-links'
import { isCurrentLink, SidebarLink, type SidebarTarget } from './sidebar-link'

const links: SidebarTarget[] = [
  { to: paths.dashboard(), label: 'Dashboard', icon: LayoutDashboard, end: true },
  { to: paths.collections(), label: 'Collections', icon: Library, also: '/dashboard/collection/' },
  { to: paths.agents(), label: 'Agents', icon: Bot, also: '/dashboard/agent/' },
  { to: paths.threads(), label: 'Threads', icon: MessagesSquare },
]
const settingsLink: SidebarTarget = { to: paths.settings(), label: 'Settings', icon: Settings }
const adminPanel: SidebarTarget = { to: paths.admin(), label: 'Admin Panel', icon: ShieldCheck }

export interface SidebarProps extends OrganizationMenuProps {
  pathname: string
  /** Whether the person is an administrator of the platform. */
  isStaff: boolean
  /** Shows icons alone; screen readers still get the labels. */
  collapsed?: boolean
}

/** The label of the section that a path belongs to. */
export function sectionOf(pathname: string): string {
  if (pathname === paths.account()) return 'Your account'
  if (pathname === paths.members() || pathname === paths.audit()) return settingsLink.label
  return [...links, settingsLink].find((link) => isCurrentLink(link, pathname))?.label ?? 'Dashboard'
}

export function Sidebar({ pathname, isStaff, collapsed = false, ...organization }: SidebarProps) {
  const settings = settingsLinks(organization.organization.abilities)
  const isInSettings = settings.some((link) => isCurrentLink(link, pathname))
  return (
    <>
      {!collapsed && <OrganizationMenu {...organization} />}
      <ul className="grid gap-0.5">
        {links.map((link) => (
          <SidebarLink key={link.to} link={link} pathname={pathname} collapsed={collapsed} />
        ))}
        <SidebarLink
          link={settingsLink}
          pathname={pathname}
          collapsed={collapsed}
          // The page below it is, where it is listed.
          isCurrent={collapsed && isInSettings}
        >
          {isInSettings && !collapsed && (
            <ul aria-label="Settings" className="mt-0.5 ml-4 grid gap-0.5 border-line border-l pl-2">
              {settings.map((page) => (
                <SidebarLink key={page.to} link={page} pathname={pathname} collapsed={false} />
              ))}
            </ul>
          )}
        </SidebarLink>
        {isStaff && <SidebarLink link={adminPanel} pathname={pathname} collapsed={collapsed} />}
      </ul>
    </>
  )
}
