import { NavLink } from '@remix-run/react'
import { MessageSquare, Search, SlidersHorizontal } from 'lucide-react'
import { Fragment } from 'react'
import { paths } from '../../paths'

/** Navigation between the pages of an agent. */
export function AgentNav({ id }: { id: string }) {
  const groups = [
    { title: null, links: [{ to: paths.agent(id), label: 'Chat', icon: MessageSquare }] },
    { title: 'Settings', links: [{ to: paths.agentSettings(id), label: 'Agent Settings', icon: SlidersHorizontal }] },
    { title: 'Previews', links: [{ to: paths.agentSearch(id), label: 'Smart Search', icon: Search }] },
  ]
  return (
    <nav aria-label="Agent" className="flex gap-0.5 overflow-x-auto lg:flex-col">
      {groups.map((group) => (
        <Fragment key={group.title}>
          {group.title && (
            <p className="hidden px-2.5 pt-3.5 pb-1 text-tiny font-semibold text-soft lg:block">{group.title}</p>
          )}
          {group.links.map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              end
              className="flex shrink-0 items-center gap-1.5 rounded-small px-2 py-[7px] font-medium sm:gap-2.5 sm:px-2.5 text-soft no-underline hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
            >
              <link.icon className="size-4 shrink-0" aria-hidden="true" />
              {link.label}
            </NavLink>
          ))}
        </Fragment>
      ))}
    </nav>
  )
}
