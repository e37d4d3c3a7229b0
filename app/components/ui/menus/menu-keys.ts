import type { KeyboardEvent } from 'react'

/** Moves the focus between the items of an open menu (`data-menu-item`) with the arrow keys. Wraps around. */
export function moveWithArrows(event: KeyboardEvent, menu: HTMLElement): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const items = [...menu.querySelectorAll<HTMLElement>('[data-menu-item]')]
  const focused = items.findIndex((item) => item.matches(':focus'))
  const next = event.key === 'ArrowDown' ? focused + 1 : Math.max(focused, 0) - 1
  items.at(next % items.length)?.focus()
}
