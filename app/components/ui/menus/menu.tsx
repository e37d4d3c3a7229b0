import { useLocation } from '@remix-run/react'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { type ButtonVariant, buttonClasses } from '../button'
import { classes } from '../classes'
import { moveWithArrows } from './menu-keys'

interface MenuProps {
  label: ReactNode
  /** Accessible name, if the label is only an icon. */
  name?: string
  variant?: ButtonVariant
  align?: 'start' | 'end'
  /** Replaces the classes of the summary. */
  summaryClassName?: string
  /** Replaces how the panel floats. */
  panelClassName?: string
  children: ReactNode
}

/** Opens without a script. With one it also closes on Escape, after a choice and on a click elsewhere. */
export function Menu({
  label,
  name,
  variant = 'quiet',
  align = 'start',
  summaryClassName,
  panelClassName,
  children,
}: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  const location = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the menu.
  useEffect(() => {
    ref.current?.removeAttribute('open')
  }, [location.key])

  useEffect(() => {
    function onPointerDown(event: PointerEvent) {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) ref.current?.removeAttribute('open')
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [])

  function onKeyDown(event: KeyboardEvent<HTMLDetailsElement>) {
    const menu = ref.current
    if (!menu?.open) return
    if (event.key === 'Escape') {
      menu.removeAttribute('open')
      menu.querySelector('summary')?.focus()
    } else moveWithArrows(event, menu)
  }

  return (
    <details ref={ref} className="relative" onKeyDown={onKeyDown}>
      <summary aria-label={name} className={summaryClassName ?? buttonClasses(variant)}>
        {label}
        {!summaryClassName && <ChevronDown aria-hidden="true" />}
      </summary>
      <div
        className={classes(
          'mt-1 min-w-44 rounded-medium border border-line bg-raised p-1',
          panelClassName ??
            'rise absolute z-30 max-h-[min(30rem,75dvh)] max-w-[calc(100vw-24px)] overflow-y-auto shadow-high',
          !panelClassName && (align === 'end' ? 'right-0' : 'left-0'),
        )}
      >
        {children}
      </div>
    </details>
  )
}

/** The classes of an item. Items need `data-menu-item` as well, for the arrow keys. */
export const menuItemClasses =
  'flex w-full items-center gap-2 whitespace-nowrap rounded-small px-2.5 py-1.5 text-left text-text no-underline ' +
  'hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-strong [&_svg]:size-4'
