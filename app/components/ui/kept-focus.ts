import { type FocusEvent, useEffect, useRef } from 'react'

/**
 * For a box whose buttons come and go with what they did: where the one that had the focus went, its first control gets
 * it, so that nobody is sent back to the top of the page.
 */
export function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const isIn = useRef(false)

  useEffect(() => {
    if (!isIn.current || document.activeElement !== document.body || ref.current?.querySelector('[aria-busy]')) return
    ref.current?.querySelector<HTMLElement>('button:enabled, a[href]')?.focus({ preventScroll: true })
  })

  return {
    ref,
    onFocus: () => {
      isIn.current = true
    },
    onBlur: ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLDivElement>) => {
      if (currentTarget.contains(relatedTarget)) return
      // One that is disabled, or went, loses the focus without anybody having moved it.
      isIn.current = relatedTarget === null && (target.matches(':disabled') || !target.isConnected)
    },
  }
}
