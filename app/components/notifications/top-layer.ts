import { type RefObject, useEffect } from 'react'

/** Dispatched on the document when a modal dialog has opened or is about to leave the page. */
const dialogEvent = 'modal-dialog'

/** Lets the notifications move into a modal dialog that has opened, or out of `closing` before it leaves the page. */
export function announceDialog(closing?: HTMLDialogElement): void {
  document.dispatchEvent(new CustomEvent(dialogEvent, { detail: closing }))
}

/**
 * Keeps `stack` above everything else and usable. A modal dialog makes all that is outside of it inert, so the stack
 * moves into the last one that is open, and otherwise back to its own parent. As a popover it is in the browser's top
 * layer, where the last one shown is on top: it is shown again whenever something else opens there.
 */
export function useTopLayer(stack: RefObject<HTMLElement>): void {
  useEffect(() => {
    const element = stack.current
    const home = element?.parentElement
    if (!element || !home) return
    const raise = (closing?: Element) => {
      const dialogs = [...document.querySelectorAll('dialog:modal')].filter((dialog) => dialog !== closing)
      const parent = dialogs.at(-1) ?? home
      // An element that is moved leaves the top layer by itself.
      if (element.parentElement !== parent) parent.append(element)
      if (element.matches(':popover-open')) element.hidePopover()
      element.showPopover()
    }
    const onDialog = (event: Event) => raise((event as CustomEvent<HTMLDialogElement | undefined>).detail)
    const onToggle = (event: Event) => {
      if (event.target !== element && (event as ToggleEvent).newState === 'open') raise()
    }

    element.popover = 'manual'
    raise()
    document.addEventListener(dialogEvent, onDialog)
    document.addEventListener('toggle', onToggle, true)
    return () => {
      document.removeEventListener(dialogEvent, onDialog)
      document.removeEventListener('toggle', onToggle, true)
    }
  }, [stack])
}
