import { useFetcher, useNavigate } from '@remix-run/react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { OrganizationView } from '../../../contract/views/organizations/organization'
import { paths } from '../../paths'
import { settingsLinks } from '../shell/settings-links'
import { announceDialog } from '../ui/browser/use-top-layer'
import { useTypingPause } from '../ui/forms/use-typing-pause'
import type { FoundPlaces } from './places'

const pages = [
  { name: 'Dashboard', to: paths.dashboard() },
  { name: 'Collections', to: paths.collections() },
  { name: 'Agents', to: paths.agents() },
  { name: 'Threads', to: paths.threads() },
  { name: 'Your account', to: paths.account() },
  { name: 'Help', to: paths.help() },
]

export interface GoToProps {
  abilities: OrganizationView['abilities']
  isStaff: boolean
  close(): void
}

/** A list of places that is narrowed by typing. The arrow keys choose, Enter opens. */
export function GoTo({ abilities, isStaff, close }: GoToProps) {
  const fetcher = useFetcher<FoundPlaces>()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const afterTyping = useTypingPause()
  const listId = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const load = useRef(fetcher.load)
  load.current = fetcher.load

  useEffect(() => {
    const shown = dialog.current
    const opener = document.activeElement
    load.current(paths.places())
    shown?.showModal()
    announceDialog()
    return () => {
      if (shown) announceDialog(shown)
      shown?.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  const own = [
    ...pages,
    ...settingsLinks(abilities).map(({ label, to }) => ({ name: `Settings: ${label}`, to })),
    ...(isStaff ? [{ name: 'Admin Panel', to: paths.admin() }] : []),
  ].map((page) => ({ ...page, kind: 'Page' }))
  const matches = (name: string) => name.toLowerCase().includes(query.trim().toLowerCase())
  const places = [...own, ...(fetcher.data?.places ?? [])].filter(({ name }) => matches(name))
  const current = Math.min(chosen, places.length - 1)
  const isLoading = fetcher.state !== 'idle'

  function onType(text: string) {
    setQuery(text)
    setChosen(0)
    afterTyping(() => load.current(`${paths.places()}?${new URLSearchParams({ q: text })}`), true)
  }

  function open(place: { to: string } | undefined) {
    if (!place) return
    close()
    navigate(place.to)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && places.length > 0) {
      event.preventDefault()
      setChosen((current + step + places.length) % places.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(places[current])
    }
  }

  return (
    <dialog
      ref={dialog}
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onMouseDown={(event) => event.target === event.currentTarget && close()}
      className="rise mx-auto mt-[12dvh] w-[calc(100vw-24px)] max-w-xl overflow-hidden rounded-large border border-line bg-raised p-0 text-text shadow-high"
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={places.length > 0 ? `${listId}-${current}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        maxLength={100}
        placeholder="Go to a collection, an agent, a page or the manual"
        value={query}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className="w-full border-line border-b bg-transparent px-4 py-3.5 text-[0.9375rem] outline-none max-sm:text-base"
      />
      <div role="listbox" id={listId} aria-label="Places" className="max-h-[50dvh] overflow-y-auto p-1.5">
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text field.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field.
          <div
            key={place.kind + place.to}
            role="option"
            id={`${listId}-${index}`}
            aria-selected={index === current}
            ref={(node) => {
              if (index === current) node?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseMove={() => setChosen(index)}
            onClick={() => open(place)}
            className="flex cursor-pointer items-baseline gap-3 rounded-small px-2.5 py-2 aria-selected:bg-accent-soft"
          >
            <span className="min-w-0 flex-1 truncate font-medium">{place.name}</span>
            <span className="text-meta text-soft">{place.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className="px-4 pb-3 text-meta text-soft empty:hidden">
        {places.length === 0 && (isLoading ? 'Searching' : 'Nothing has this name. Try fewer letters.')}
      </p>
    </dialog>
  )
}
