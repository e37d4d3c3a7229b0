import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A short explanation under the pointer or the focus. Its child must take the focus. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-xs rounded-small bg-text px-2.5 py-1.5 text-small text-page shadow-high"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
