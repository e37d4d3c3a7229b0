import { type ReactNode, useEffect, useId, useRef } from 'react'
import { placeNear } from './place-near'

interface PopoverProps {
  /** Accessible name of the button and the panel. */
  name: string
  button: ReactNode
  buttonClassName: string
  className: string
  children: ReactNode
}

/** A panel that a button opens. The browser closes it on Escape and on a click elsewhere, and returns the focus. */
export function Popover({ name, button, buttonClassName, className, children }: PopoverProps) {
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const element = panel.current
    if (!element) return
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open' && anchor.current) placeNear(anchor.current, element)
    }
    element.addEventListener('toggle', onToggle)
    return () => element.removeEventListener('toggle', onToggle)
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
