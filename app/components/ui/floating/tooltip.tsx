import { type FocusEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react'
import { useHydrated } from '../browser/use-hydrated'
import { placeNear } from './place-near'

interface TooltipProps {
  /** Null shows no tooltip but keeps the elements around the control. */
  text: string | null
  /** Class of the element around the control. */
  className?: string
  /** Receives the attributes that connect the control with the tooltip. */
  children: (props: { 'aria-describedby'?: string; title?: string }) => ReactNode
}

/** A short explanation on hover and focus, as a popover. Without a script it is a title. */
export function Tooltip({ text, className = 'inline-flex', children }: TooltipProps) {
  const id = useId()
  const hydrated = useHydrated()
  const panel = useRef<HTMLSpanElement>(null)

  function show({ currentTarget }: PointerEvent | FocusEvent) {
    panel.current?.showPopover()
    if (panel.current) placeNear(currentTarget, panel.current)
  }

  function hide() {
    panel.current?.hidePopover()
  }

  if (!hydrated) return children({ title: text ?? undefined })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers show the description of the control inside.
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
          className="max-w-xs whitespace-normal rounded-small border-0 bg-text px-2.5 py-1.5 text-left text-meta text-page shadow-high"
        >
          {text}
        </span>
      )}
    </span>
  )
}
