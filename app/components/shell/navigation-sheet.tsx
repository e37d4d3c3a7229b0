import { useLocation } from '@remix-run/react'
import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { paths } from '../../paths'
import { Brand } from '../brand'

const buttonClass = 'inline-flex rounded-small p-1.5 text-soft hover:bg-sunken'

/**
 * The navigation of narrow screens: a sheet at the left edge. The browser opens it without a script, keeps it above the
 * page, and closes it on Escape and on a click elsewhere.
 */
export function NavigationSheet({ children }: { children: ReactNode }) {
  const id = useId()
  const sheet = useRef<HTMLDivElement>(null)
  const { key } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the sheet.
  useEffect(() => {
    if (sheet.current?.matches(':popover-open')) sheet.current.hidePopover()
  }, [key])

  return (
    <div className="md:hidden">
      <button type="button" aria-label="Navigation" popovertarget={id} className={`-ml-1 ${buttonClass}`}>
        <Menu className="size-5" aria-hidden="true" />
      </button>
      <div ref={sheet} id={id} popover="auto" className="sheet">
        <div className="mb-3 flex items-center justify-between pl-1">
          <Brand to={paths.dashboard()} />
          <button
            type="button"
            aria-label="Close navigation"
            popovertarget={id}
            popovertargetaction="hide"
            className={buttonClass}
          >
            <X className="size-5" aria-hidden="true" />
          </button>
        </div>
        <nav aria-label="Main">{children}</nav>
      </div>
    </div>
  )
}
