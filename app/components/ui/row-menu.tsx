import { Link, useLocation } from '@remix-run/react'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react'
import { buttonClasses } from './button'
import { classes } from './classes'
import { placeBeside } from './floating'
import { IntentButton } from './intent-button'
import { menuItemClasses } from './menu'
import { moveWithArrows } from './menu-keys'
import { Tooltip } from './tooltip'

interface Shown {
  word: string
  /** Says more than the word, and begins with it: 'Delete Lamps'. */
  label: string
  icon: LucideIcon
  isDanger?: boolean
}

/** One that is not possible now says why in `reason`. */
export type RowAction = Shown &
  (
    | { kind: 'intent'; intent: string; reason: string | null }
    | { kind: 'link'; to: string; reason: string | null }
    | { kind: 'page' | 'download'; href: string }
  )

interface RowMenuProps {
  /** What the row is about. */
  name: string
  id: string
  /** The same ones in the same order in every state of the row. */
  actions: RowAction[]
}

/**
 * A row's actions behind one button, in the browser's top layer, where a table does not clip them. Opens without a
 * script. Stays open until an action is done, so that a second click cannot reach what is below it.
 */
export function RowMenu({ name, id, actions }: RowMenuProps) {
  const panelId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  const location = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the action that was chosen is done when it has led somewhere.
  useEffect(() => {
    if (isChosen.current) close()
    isChosen.current = false
  }, [location.key])

  function choose({ target }: MouseEvent) {
    isChosen.current = target instanceof Element && target.closest('[data-menu-item]:not([aria-disabled])') !== null
  }

  function close() {
    panel.current?.hidePopover()
  }

  function open() {
    if (!panel.current || !button.current) return
    panel.current.showPopover()
    placeBeside(button.current, panel.current)
    // It would stay where it is while its row moves.
    window.addEventListener('scroll', close, { once: true, passive: true })
    window.addEventListener('resize', close, { once: true })
  }

  function toggle(event: MouseEvent) {
    // The browser would show it in the middle of the window first.
    event.preventDefault()
    if (panel.current?.matches(':popover-open')) close()
    else open()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' && !panel.current?.matches(':popover-open')) open()
    if (panel.current?.matches(':popover-open')) moveWithArrows(event, panel.current)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the buttons inside.
    <span className="inline-flex" onKeyDown={onKeyDown} onClick={choose}>
      <button
        ref={button}
        type="button"
        popovertarget={panelId}
        aria-label={`More actions for ${name}`}
        onClick={toggle}
        className={buttonClasses('quiet', '!px-1.5')}
      >
        <Ellipsis aria-hidden="true" />
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        className="min-w-44 rounded-medium border border-line bg-surface p-1 text-text shadow-high"
      >
        {actions.map((action) => (
          <RowMenuItem key={action.word} id={id} action={action} />
        ))}
      </div>
    </span>
  )
}

function RowMenuItem({ id, action }: { id: string; action: RowAction }) {
  const { word, label, icon: Icon, isDanger } = action
  const className = classes(menuItemClasses, 'aria-disabled:opacity-50', isDanger && '!text-danger')
  if (action.kind === 'intent') {
    return (
      <IntentButton
        id={id}
        intent={action.intent}
        icon={Icon}
        label={label}
        reason={action.reason}
        className={className}
        isMenuItem
      >
        {word}
      </IntentButton>
    )
  }
  const content = (
    <>
      <Icon aria-hidden="true" />
      {word}
    </>
  )
  const shared = { 'aria-label': label, 'data-menu-item': true, className }
  switch (action.kind) {
    case 'link':
      if (action.reason === null) {
        return (
          <Link to={action.to} preventScrollReset {...shared}>
            {content}
          </Link>
        )
      }
      return (
        <Tooltip text={action.reason} className="flex">
          {(described) => (
            <button type="button" aria-disabled="true" {...shared} {...described}>
              {content}
            </button>
          )}
        </Tooltip>
      )
    case 'page':
      return (
        <a href={action.href} target="_blank" rel="noopener nofollow" {...shared}>
          {content}
        </a>
      )
    case 'download':
      return (
        <a href={action.href} download {...shared}>
          {content}
        </a>
      )
  }
}
