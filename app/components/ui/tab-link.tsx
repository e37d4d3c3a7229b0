import { NavLink } from '@remix-run/react'

/** A tab in a row of pages. */
export function TabLink({ to, children }: { to: string; children: string }) {
  return (
    <NavLink
      to={to}
      end
      className="-mb-px border-b-2 border-transparent pt-2 pb-2.5 font-medium text-soft no-underline hover:text-text aria-[current]:border-accent aria-[current]:text-text"
    >
      {children}
    </NavLink>
  )
}
