import { NavLink } from '@remix-run/react'
import { AppWindow, ChevronDown, Code, KeyRound, MessageSquare, Search, SlidersHorizontal } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { paths } from '../../paths'
import { buttonClasses } from '../ui/button'
import { Menu, menuItemClasses } from '../ui/menus/menu'
import { TabLink } from '../ui/tab-link'

function groupsOf(id: string) {
  return [
    { title: null, links: [{ to: paths.agent(id), label: 'Chat', icon: MessageSquare }] },
    {
      title: null,
      links: [
        { to: paths.agentSettings(id), label: 'Agent Settings', icon: SlidersHorizontal },
        { to: paths.agentApi(id), label: 'API Settings', icon: KeyRound },
      ],
    },
    { title: 'Integrations', links: [{ to: paths.agentWidget(id), label: 'Widget', icon: Code }] },
    {
      title: 'Previews',
      links: [
        { to: paths.agentChatWidget(id), label: 'Chat Widget', icon: AppWindow },
        { to: paths.agentSearch(id), label: 'Smart Search', icon: Search },
      ],
    },
  ]
}

/** Tabs between the pages of an agent. On phones, `AgentMenu` takes their place. */
export function AgentNav({ id }: { id: string }) {
  return (
    <nav
      aria-label="Agent"
      className="mb-6 flex items-center gap-x-5 overflow-x-auto border-b border-line whitespace-nowrap [scrollbar-width:none] max-sm:hidden"
    >
      {groupsOf(id).map(({ title, links }, n) => (
        <Fragment key={links[0]?.to}>
          {n > 0 && <span className="h-4 border-l border-line" aria-hidden="true" />}
          {title && <span className="text-meta text-soft">{title}</span>}
          {links.map((link) => (
            <TabLink key={link.to} to={link.to}>
              {link.label}
            </TabLink>
          ))}
        </Fragment>
      ))}
    </nav>
  )
}

interface AgentMenuProps {
  id: string
  pathname: string
  /** The actions on the agent. */
  children: ReactNode
}

/** Menu for phones with the pages of an agent and the actions on it, named by the current page. */
export function AgentMenu({ id, pathname, children }: AgentMenuProps) {
  const groups = groupsOf(id)
  const current = groups.flatMap(({ links }) => links).find(({ to }) => to === pathname)
  return (
    <div className="sm:hidden">
      <Menu
        label={
          <>
            {current?.label ?? 'Chat'}
            <ChevronDown aria-hidden="true" />
          </>
        }
        summaryClassName={buttonClasses()}
        panelClassName="rise absolute right-0 z-30 max-h-[calc(100dvh-110px)] w-60 overflow-y-auto shadow-high"
      >
        <nav aria-label="Agent">
          {groups.map((group) => (
            <Fragment key={group.links[0]?.to}>
              {group.title && <p className="px-2.5 pt-2 pb-0.5 text-meta font-semibold text-soft">{group.title}</p>}
              {group.links.map((link) => (
                <NavLink key={link.to} to={link.to} end data-menu-item className={menuItemClasses}>
                  <link.icon aria-hidden="true" />
                  {link.label}
                </NavLink>
              ))}
            </Fragment>
          ))}
        </nav>
        <div className="mt-1 grid gap-1 border-t border-line p-1.5 pt-2">{children}</div>
      </Menu>
    </div>
  )
}
