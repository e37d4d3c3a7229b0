import { type ReactNode, useEffect, useId, useRef } from 'react'
import { placeBeside } from './floating'

interface PopoverProps {
  /** What the button is called and the panel is about. */
  name: string
  button: ReactNode
  buttonClassName: string
  className: string
  children: ReactNode
}

/** A panel that a button opens. The browser opens it, closes it on Escape and on a press elsewhere, and returns the focus. */
export function Popover({ name, button, buttonClassName, className, children }: PopoverProps) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const element = panel.current
    if (!element) return
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open' && anchor.current) placeBeside(anchor.current, element)
    }
    element.addEventListener('toggle', toggled)
    return () => element.removeEventListener('toggle', toggled)
  }, [])

  return (
    <>
      <button ref={anchor} type="button" aria-label={name} popovertarget={id} className={buttonClassName}>
        {button}
      </button>
      <span ref={panel} id={id} role="dialog" aria-label={name} popover="auto" className={className}>
        {children}
      </span>
    </>
  )
}
