import 'react'

/** React 18 passes these through but does not type them yet. */
declare module 'react' {
  interface HTMLAttributes<T> {
    popover?: '' | 'auto' | 'manual'
    popovertarget?: string
  }
}
