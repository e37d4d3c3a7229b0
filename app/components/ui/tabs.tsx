import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useHydrated } from './browser/use-hydrated'

interface TabsProps {
  label: string
  tabs: { value: string; title: string; content: ReactNode }[]
}

/** Tabs, of which the first is open initially. Without a script all contents are shown one below another. */
export function Tabs({ label, tabs }: TabsProps) {
  const hydrated = useHydrated()
  return (
    <Radix.Root defaultValue={tabs[0]?.value}>
      <Radix.List aria-label={label} className="flex gap-1 border-b border-line px-3">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2.5 font-[550] text-soft hover:text-text data-[state=active]:border-accent data-[state=active]:text-accent-strong"
          >
            {tab.title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} forceMount={hydrated ? undefined : true}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
