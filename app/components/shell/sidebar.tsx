import { NavLink } from '@remix-run/react'
import { Bot, LayoutDashboard, Library, MessagesSquare } from 'lucide-react'
import { paths } from '../../paths'
import { OrganizationMenu, type OrganizationMenuProps } from './organization-menu'

const links = [
  { to: paths.dashboard(), label: 'Dashboard', icon: LayoutDashboard, end: true, also: null },
  { to: paths.collections(), label: 'Collections', icon: Library, end: false, also: '/dashboard/collection/' },
  { to: paths.agents(), label: 'Agents', icon: Bot, end: false, also: '/dashboard/agent/' },
  { to: paths.threads(), label: 'Threads', icon: MessagesSquare, end: false, also: null },
] as const

export interface SidebarProps extends OrganizationMenuProps {
  pathname: string
  /** Shows icons alone; screen readers still get the labels. */
  collapsed?: boolean
}

/** The label of the section that a path belongs to. */
export function sectionOf(pathname: string): string {
  if (pathname === paths.members()) return 'Members'
  return links.find((link) => isCurrent(link, pathname))?.label ?? 'Dashboard'
}

export function Sidebar({ pathname, collapsed = false, ...organization }: SidebarProps) {
  return (
    <>
      {!collapsed && <OrganizationMenu {...organization} />}
      <ul className="grid gap-0.5">
        {links.map((link) => (
          <li key={link.to}>
            <NavLink
              to={link.to}
              end={link.end}
              title={collapsed ? link.label : undefined}
              aria-current={isCurrent(link, pathname) ? 'page' : undefined}
              className="flex items-center gap-2.5 rounded-small px-2.5 py-[7px] font-medium text-soft no-underline hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
            >
              <link.icon className="size-4 shrink-0" aria-hidden="true" />
              <span className={collapsed ? 'sr-only' : undefined}>{link.label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function isCurrent(link: (typeof links)[number], pathname: string): boolean {
  if (link.end) return pathname === link.to
  return (
    pathname === link.to || pathname.startsWith(`${link.to}/`) || (link.also !== null && pathname.startsWith(link.also))
  )
}
