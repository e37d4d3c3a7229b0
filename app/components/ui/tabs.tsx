import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useHydrated } from './browser/use-hydrated'

interface TabsProps {
  label: string
  tabs: { value: string; title: string; content: ReactNode }[]
}

const steps: Record<string, number | undefined> = { ArrowLeft: -1, ArrowRight: 1 }

/**
 * Tabs, of which the first is open initially. The arrow keys, Home and End open another one. Without a script all contents
 * are shown one below another.
 */
export function Tabs({ label, tabs }: TabsProps) {
  const hydrated = useHydrated()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(tabs[0]?.value)

  function openByKey(event: KeyboardEvent) {
    const current = tabs.findIndex(({ value }) => value === open)
    const step = steps[event.key]
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? -1 : step && (current + step) % tabs.length
    const tab = next === undefined ? undefined : tabs.at(next)
    if (!tab) return
    event.preventDefault()
    setOpen(tab.value)
    list.current?.querySelectorAll('button')[tabs.indexOf(tab)]?.focus()
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={openByKey}
        className="flex gap-1 border-b border-line px-1"
      >
        {tabs.map(({ value, title }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`${id}-tab-${value}`}
            aria-controls={`${id}-panel-${value}`}
            aria-selected={value === open}
            tabIndex={value === open ? 0 : -1}
            onClick={() => setOpen(value)}
            className="-mb-px border-b-2 border-transparent px-3 py-2.5 font-medium text-soft hover:text-text aria-selected:border-accent aria-selected:text-accent-strong"
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ value, content }) => (
        <div
          key={value}
          role="tabpanel"
          id={`${id}-panel-${value}`}
          aria-labelledby={`${id}-tab-${value}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern of tabs asks for it, as panels may hold text alone.
          tabIndex={0}
          hidden={hydrated && value !== open}
        >
          {(!hydrated || value === open) && content}
        </div>
      ))}
    </div>
  )
}
