import { type RefObject, useEffect } from 'react'

/** Dispatched on the document when a modal dialog has opened or is about to leave the page. */
const dialogEvent = 'modal-dialog'

/** Lets the notifications move into a modal dialog that has opened, or out of `closing` before it leaves the page. */
export function announceDialog(closing?: HTMLDialogElement): void {
  document.dispatchEvent(new CustomEvent(dialogEvent, { detail: closing }))
}

/**
 * Keeps `stack` on top of everything and usable. A modal dialog makes the rest of the page inert, so the stack moves into
 * the last open dialog, and back to its own parent when none is open. It is a popover, so that it is in the browser's
 * top layer, where the last element shown is on top: it is shown again whenever another one opens.
 */
export function useTopLayer(stack: RefObject<HTMLElement>): void {
  useEffect(() => {
    const element = stack.current
    const home = element?.parentElement
    if (!element || !home) return
    const raise = (closing?: Element) => {
      const dialogs = [...document.querySelectorAll('dialog:modal')].filter((dialog) => dialog !== closing)
      const parent = dialogs.at(-1) ?? home
      // An error page replaces the dialog together with everything around it.
      if (!parent.isConnected) return
      // Moving an element removes it from the top layer.
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
