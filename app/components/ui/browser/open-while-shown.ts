/**
 * Opens a connection while the page is shown, and returns a function that ends it. A browser keeps pages that were left for
 * a return, with their connections, of which it allows six to a server: more pages would leave none for the next one.
 */
export function openWhileShown(open: () => () => void): () => void {
  let close: (() => void) | null = open()
  const hide = () => {
    close?.()
    close = null
  }
  const show = () => {
    close ??= open()
  }
  addEventListener('pagehide', hide)
  addEventListener('pageshow', show)
  return () => {
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', show)
    hide()
  }
}
