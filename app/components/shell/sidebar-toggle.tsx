import { useLocation } from '@remix-run/react'
import { PanelLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { paths } from '../../paths'

/**
 * Whether the sidebar is collapsed: as the server rendered it, then as the button toggles it. `toggle` bypasses the
 * router, which would load the data of the page again.
 */
export function useSidebar(rendered: boolean) {
  const [collapsed, setCollapsed] = useState(rendered)

  function toggle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const sidebar = collapsed ? 'expanded' : 'collapsed'
    setCollapsed(!collapsed)
    // If the request fails, the next full load shows the former state, which does no harm.
    fetch(paths.sidebar(), {
      method: 'POST',
      body: new URLSearchParams({ sidebar }),
      redirect: 'manual',
      keepalive: true,
    }).catch(() => {})
  }

  return { collapsed, toggle }
}

interface SidebarToggleProps {
  collapsed: boolean
  toggle(event: FormEvent<HTMLFormElement>): void
}

/** The button at the foot of the sidebar. Without a script, its form redirects back to the page. */
export function SidebarToggle({ collapsed, toggle }: SidebarToggleProps) {
  const { pathname, search } = useLocation()
  return (
    <form method="post" action={paths.sidebar()} onSubmit={toggle} className="mt-auto">
      <input type="hidden" name="back" value={pathname + search} />
      <button
        type="submit"
        name="sidebar"
        value={collapsed ? 'expanded' : 'collapsed'}
        aria-expanded={!collapsed}
        className="flex w-full items-center gap-2.5 rounded-small px-2.5 py-[7px] text-soft hover:bg-sunken hover:text-text"
      >
        <PanelLeft className="size-4 shrink-0" aria-hidden="true" />
        <span className={collapsed ? 'sr-only' : undefined}>{collapsed ? 'Show sidebar' : 'Hide sidebar'}</span>
      </button>
    </form>
  )
}
