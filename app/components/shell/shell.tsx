import type { ReactNode } from 'react'
import type { AvatarPerson } from '../avatar'
import { NavigationSheet } from './navigation-sheet'
import { SidebarToggle, useSidebar } from './sidebar-toggle'
import { SignedOut } from './signed-out'
import { TopBar } from './top-bar'

interface ShellProps {
  /** Label of the current section. */
  section: string
  /** The navigation: in the sidebar, which may show icons alone, or in the sheet. Null in place of a page that failed. */
  sidebar: ((place: { collapsed: boolean; isInPanel: boolean }) => ReactNode) | null
  helpUrl: string
  theme: string
  person: AvatarPerson & { email: string }
  /** The state that the server rendered. */
  sidebarCollapsed: boolean
  /** What finds a place by its name. */
  quickKeys?: ReactNode
  children: ReactNode
}

/** Top bar, sidebar and the page. The sidebar collapses to icons, and is a sheet on narrow screens. */
export function Shell({ section, sidebar, helpUrl, theme, person, sidebarCollapsed, quickKeys, children }: ShellProps) {
  const { collapsed, toggle } = useSidebar(sidebarCollapsed)
  return (
    <>
      <SignedOut email={person.email} />
      <TopBar
        section={section}
        helpUrl={helpUrl}
        theme={theme}
        person={person}
        quickKeys={quickKeys}
        navigation={sidebar && <NavigationSheet>{sidebar({ collapsed: false, isInPanel: true })}</NavigationSheet>}
      />
      <div className="flex">
        <nav
          aria-label="Main"
          data-collapsed={collapsed || undefined}
          className="sticky top-[52px] hidden h-[calc(100dvh-52px)] w-[248px] shrink-0 flex-col border-r border-line p-3 data-[collapsed]:w-[60px] md:flex"
        >
          {sidebar && (
            <>
              {sidebar({ collapsed, isInPanel: false })}
              <SidebarToggle collapsed={collapsed} toggle={toggle} />
            </>
          )}
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
