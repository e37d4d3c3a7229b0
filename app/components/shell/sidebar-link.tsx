import { Link } from '@remix-run/react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export interface SidebarTarget {
  to: string
  label: string
  icon: LucideIcon
  /** Whether it is not current on the pages below its own. */
  end?: boolean
  /** Beginning of other paths on which it is current. */
  also?: string
}

interface SidebarLinkProps {
  link: SidebarTarget
  pathname: string
  /** Shows the icon alone; screen readers still get the label. */
  collapsed: boolean
  /** Whether this is the page that is shown; by its path without it. */
  isCurrent?: boolean
  /** The pages below this one. */
  children?: ReactNode
}

export function SidebarLink({
  link,
  pathname,
  collapsed,
  isCurrent = isCurrentLink(link, pathname),
  children,
}: SidebarLinkProps) {
  return (
    <li>
      <Link
        to={link.to}
        title={collapsed ? link.label : undefined}
        aria-current={isCurrent ? 'page' : undefined}
        className="sidebar-link"
      >
        <link.icon className="size-4 shrink-0" aria-hidden="true" />
        <span className={collapsed ? 'sr-only' : undefined}>{link.label}</span>
      </Link>
      {children}
    </li>
  )
}

export function isCurrentLink({ to, end, also }: SidebarTarget, pathname: string): boolean {
  if (end) return pathname === to
  return pathname === to || pathname.startsWith(`${to}/`) || (also !== undefined && pathname.startsWith(also))
}
