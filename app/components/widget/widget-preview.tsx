import { useEffect, useRef } from 'react'

interface WidgetPreviewProps {
  publicKey: string
  /** Attributes of the tag by their name without `data-`. */
  attributes: Record<string, string>
  /** Whether the bubble's panel is open from the start. */
  opens?: boolean
}

/**
 * Time after a change of the attributes, such as a letter of a title, in which the preview does not follow another one.
 */
const settleMs = 250

/** Runs the widget's own script on this page, in a frame of its own: also the bubble, which is fixed to it. */
export function WidgetPreview({ publicKey, attributes, opens = false }: WidgetPreviewProps) {
  const place = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  const input = JSON.stringify(attributes)
  useEffect(() => {
    const script = document.createElement('script')
    let isGone = false
    const timer = setTimeout(start, isFirst.current ? 0 : settleMs)
    isFirst.current = false

    function start() {
      script.src = '/widget.js'
      // Scripts can read the nonce of the page as a property only.
      script.nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
      const { theme } = document.documentElement.dataset
      const shown: Record<string, string> = { ...(theme ? { theme } : {}), ...JSON.parse(input), key: publicKey }
      if (opens) shown.open = ''
      for (const [name, value] of Object.entries(shown)) script.setAttribute(`data-${name}`, value)
      script.addEventListener('load', () => {
        // The script may still run after the page has been left.
        if (isGone) return removeWidgets()
        for (const widget of document.querySelectorAll('body > sitelore-widget')) place.current?.append(widget)
      })
      place.current?.append(script)
    }

    return () => {
      isGone = true
      clearTimeout(timer)
      script.remove()
      removeWidgets()
    }
  }, [publicKey, input, opens])
  // A transformed element contains what is fixed.
  return (
    <div
      ref={place}
      className="relative min-h-[700px] transform-gpu max-sm:min-h-dvh overflow-hidden rounded-medium bg-sunken p-4"
    />
  )
}

function removeWidgets(): void {
  for (const widget of document.querySelectorAll('sitelore-widget')) widget.remove()
}
