import { useNavigation } from '@remix-run/react'
import { Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu } from '../ui/menus/menu'
import { Sidebar, type SidebarProps, sectionOf } from './sidebar'
import { SidebarToggle, useSidebar } from './sidebar-toggle'
import { TopBar } from './top-bar'

interface ShellProps extends Omit<SidebarProps, 'collapsed'> {
  helpUrl: string
  theme: string
  /** The state that the server rendered. */
  sidebarCollapsed: boolean
  children: ReactNode
}

/** Top bar, sidebar and the page. The sidebar collapses to icons, and is a menu of the top bar on narrow screens. */
export function Shell({ helpUrl, theme, sidebarCollapsed, children, ...sidebar }: ShellProps) {
  const { collapsed, toggle } = useSidebar(sidebarCollapsed)
  const navigation = useNavigation()
  return (
    <>
      {navigation.state !== 'idle' && (
        <div
          role="progressbar"
          aria-label="Loading"
          className="late fixed inset-x-0 top-0 z-50 h-0.5 animate-pulse bg-accent"
        />
      )}
      <TopBar
        section={sectionOf(sidebar.pathname)}
        helpUrl={helpUrl}
        theme={theme}
        navigation={
          <div className="md:hidden">
            <Menu
              name="Navigation"
              label={<MenuIcon className="size-5" aria-hidden="true" />}
              summaryClassName="-ml-1 inline-flex rounded-small p-1.5 text-soft hover:bg-sunken"
            >
              <nav aria-label="Main" className="w-64 p-2">
                <Sidebar {...sidebar} />
              </nav>
            </Menu>
          </div>
        }
      />
      <div className="flex">
        <nav
          aria-label="Main"
          data-collapsed={collapsed || undefined}
          className="sticky top-[52px] hidden h-[calc(100dvh-52px)] w-[232px] shrink-0 flex-col border-r border-line p-3 data-[collapsed]:w-[60px] md:flex"
        >
          <Sidebar {...sidebar} collapsed={collapsed} />
          <SidebarToggle collapsed={collapsed} toggle={toggle} />
        </nav>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto min-w-0 max-w-[1320px] flex-1 px-3.5 pt-5 pb-16 outline-none sm:px-8 sm:pt-6"
        >
          {children}
        </main>
      </div>
    </>
  )
}
