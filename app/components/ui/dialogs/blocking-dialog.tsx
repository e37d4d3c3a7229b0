import { type ReactNode, useEffect, useId, useRef } from 'react'
import { holdReloads } from '../browser/use-reload'
import { announceDialog } from '../browser/use-top-layer'

interface BlockingDialogProps {
  title: string
  text: string
  /** Escape was pressed. Without it, the dialog stays open then. */
  onCancel?(): void
  /** The buttons. */
  children: ReactNode
}

/**
 * Asks for a decision above the page and its dialogs, which wait and are not loaded again meanwhile. Unlike `Dialog`, it
 * is no part of the URL. It returns the focus to where it was.
 */
export function BlockingDialog({ title, text, onCancel, children }: BlockingDialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    const resumeReloads = holdReloads()
    dialog.showModal()
    announceDialog()
    return () => {
      resumeReloads()
      announceDialog(dialog)
      dialog.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault()
        // The dialog of a form, if this one is inside it, stays as well.
        event.stopPropagation()
        onCancel?.()
      }}
      // Browsers close a dialog at the second Escape, whatever happens to the event of `onCancel`.
      onKeyDown={(event) => !onCancel && event.key === 'Escape' && event.preventDefault()}
      onMouseDown={(event) => event.stopPropagation()}
      className="rise m-auto w-[calc(100vw-24px)] max-w-md rounded-large border border-line bg-raised p-5 text-text shadow-high"
    >
      <h2 id={titleId} className="text-[1.0625rem] font-semibold">
        {title}
      </h2>
      <p id={textId} className="mt-1 text-soft">
        {text}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>
    </dialog>
  )
}
