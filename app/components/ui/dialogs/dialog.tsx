import { Link, useNavigate } from '@remix-run/react'
import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useHydrated } from '../browser/use-hydrated'
import { announceDialog } from '../browser/use-top-layer'
import { buttonClasses } from '../button'
import { classes } from '../classes'
import { UnsavedGuard } from './unsaved-guard'

interface DialogProps {
  title: string
  description?: ReactNode
  /** The page without the dialog. */
  closeTo: string
  wide?: boolean
  children: ReactNode
}

/** What gets the focus: the first of these that the dialog has. */
const focusTargets = [
  '[aria-invalid="true"]',
  '[data-focus]',
  'form input:not([type="hidden"], [type="radio"]), form textarea, form select',
  '[data-cancel]',
]

/**
 * The browser's own modal dialog: it traps the focus, closes on Escape, and returns the focus to what opened it. Whether
 * it is open is part of the URL, so it works without a script, survives a reload, and closes on going back.
 */
export function Dialog({ title, description, closeTo, wide, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const descriptionId = useId()
  const hydrated = useHydrated()
  const navigate = useNavigate()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog || !hydrated) return
    const opener = document.activeElement
    dialog.showModal()
    announceDialog()
    const found = focusTargets.map((selector) => dialog.querySelector<HTMLElement>(selector))
    found.find((element) => element !== null)?.focus()
    return () => {
      announceDialog(dialog)
      dialog.close()
      // The browser returns the focus only if the dialog is still in the page, but React has removed it by now.
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true })
    }
  }, [hydrated])

  function close() {
    navigate(closeTo, { replace: true, preventScrollReset: true })
  }

  function closeFromBackdrop(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) close()
  }

  return (
    <dialog
      ref={ref}
      open={!hydrated}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : undefined}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onMouseDown={closeFromBackdrop}
      className={classes(
        'rise m-auto max-h-[92dvh] w-[calc(100vw-24px)] scroll-pb-20 overflow-y-auto rounded-large border border-line bg-raised p-0 text-text shadow-high',
        wide ? 'max-w-3xl' : 'max-w-lg',
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-4">
        <h2 id={titleId} className="text-[1.0625rem] font-semibold">
          {title}
        </h2>
        <Link
          to={closeTo}
          replace
          preventScrollReset
          aria-label="Close"
          className={buttonClasses('quiet', '-mt-1.5 -mr-[7px] !px-1.5')}
        >
          <X aria-hidden="true" />
        </Link>
      </div>
      {description && (
        <div id={descriptionId} className="px-5 pt-1 text-soft">
          {description}
        </div>
      )}
      <div className="px-5 pb-5 pt-4">{children}</div>
      <UnsavedGuard scope={ref} />
    </dialog>
  )
}
