import { useNavigation } from '@remix-run/react'
import { Menu as MenuIcon, PanelLeft } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Menu } from '../ui/menu'
import { Sidebar, type SidebarProps, sectionOf } from './sidebar'
import { TopBar } from './top-bar'

interface ShellProps extends SidebarProps {
  helpUrl: string
  theme: string
  children: ReactNode
}

const remembered = 'sidebar'

/** Top bar, sidebar and the page. The sidebar folds to icons, and is a sheet where there is no room for it. */
export function Shell({ helpUrl, theme, children, ...sidebar }: ShellProps) {
  const [narrow, setNarrow] = useState(false)
  const navigation = useNavigation()
  useEffect(() => setNarrow(localStorage.getItem(remembered) === 'narrow'), [])

  function fold() {
    localStorage.setItem(remembered, narrow ? 'wide' : 'narrow')
    setNarrow(!narrow)
  }

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
          data-narrow={narrow || undefined}
          className="sticky top-[52px] hidden h-[calc(100dvh-52px)] w-[232px] shrink-0 flex-col border-r border-line p-3 data-[narrow]:w-[60px] md:flex"
        >
          <Sidebar {...sidebar} narrow={narrow} />
          <button
            type="button"
            onClick={fold}
            aria-expanded={!narrow}
            className="needs-script mt-auto flex items-center gap-2.5 rounded-small px-2.5 py-[7px] text-soft hover:bg-sunken hover:text-text"
          >
            <PanelLeft className="size-4 shrink-0" aria-hidden="true" />
            <span className={narrow ? 'sr-only' : undefined}>{narrow ? 'Show sidebar' : 'Hide sidebar'}</span>
          </button>
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
