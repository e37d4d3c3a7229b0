import { type FocusEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react'
import { placeBeside } from './floating'
import { useHydrated } from './hydrated'

interface TooltipProps {
  /** Null explains nothing, and leaves the control in its place. */
  text: string | null
  /** Display of the box around the control. */
  className?: string
  /** Gets what the control needs to be explained by the tooltip. */
  children: (props: { 'aria-describedby'?: string; title?: string }) => ReactNode
}

/** A short explanation under the pointer or the focus, in the browser's top layer. Without a script it is a title. */
export function Tooltip({ text, className = 'inline-flex', children }: TooltipProps) {
  const id = useId()
  const hydrated = useHydrated()
  const panel = useRef<HTMLSpanElement>(null)

  function show({ currentTarget }: PointerEvent | FocusEvent) {
    panel.current?.showPopover()
    if (panel.current) placeBeside(currentTarget, panel.current)
  }

  function hide() {
    panel.current?.hidePopover()
  }

  if (!hydrated) return children({ title: text ?? undefined })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shows what the control inside is described by.
    <span
      className={className}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children({ 'aria-describedby': text === null ? undefined : id })}
      {text !== null && (
        <span
          ref={panel}
          id={id}
          role="tooltip"
          popover="manual"
          className="max-w-xs whitespace-normal rounded-small border-0 bg-text px-2.5 py-1.5 text-left text-small text-page shadow-high"
        >
          {text}
        </span>
      )}
    </span>
  )
}
