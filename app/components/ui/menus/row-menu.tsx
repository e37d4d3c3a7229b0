import { Link, useLocation } from '@remix-run/react'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from 'react'
import { buttonClasses } from '../button'
import { classes } from '../classes'
import { placeNear } from '../floating/place-near'
import { Tooltip } from '../floating/tooltip'
import { IntentButton } from './intent-button'
import { menuItemClasses } from './menu'
import { moveWithArrows } from './menu-keys'

interface ActionLook {
  word: string
  /** Accessible name, which begins with the word: 'Delete Lamps'. */
  label: string
  icon: LucideIcon
  isDanger?: boolean
}

/** `reason` says why the action is not possible; null if it is. */
export type RowAction = ActionLook &
  (
    | { kind: 'intent'; intent: string; reason: string | null }
    | { kind: 'link'; to: string; reason: string | null }
    | { kind: 'page' | 'download'; href: string }
  )

interface RowMenuProps {
  /** Name and id of what the row shows. */
  name: string
  id: string
  /** The same actions in the same order in every state of the row. */
  actions: RowAction[]
}

/**
 * The actions of a table row behind one button. A popover, so that the table does not clip it; opens without a script.
 * Stays open until the chosen action is done, so that a second click does not hit what is below.
 */
export function RowMenu({ name, id, actions }: RowMenuProps) {
  const panelId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  const location = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location means that the chosen action is done.
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
    placeNear(button.current, panel.current)
    // The row moves, but the popover would not.
    window.addEventListener('scroll', close, { once: true, passive: true })
    window.addEventListener('resize', close, { once: true })
  }

  function toggle(event: MouseEvent) {
    // By default the browser shows it in the middle of the window first.
    event.preventDefault()
    if (panel.current?.matches(':popover-open')) close()
    else open()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' && !panel.current?.matches(':popover-open')) open()
    if (panel.current?.matches(':popover-open')) moveWithArrows(event, panel.current)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys and clicks of the buttons inside.
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
        className="min-w-44 rounded-medium border border-line bg-raised p-1 text-text shadow-high"
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
