import 'react'

/** React 18 renders these attributes but has no types for them. */
declare module 'react' {
  interface HTMLAttributes<T> {
    popover?: '' | 'auto' | 'manual'
    popovertarget?: string
    popovertargetaction?: 'toggle' | 'show' | 'hide'
  }
}
