/** Shorter texts are cut at their end, where little is lost. */
const minCut = 24
const tailLength = 12

/**
 * One line of text, cut in the middle where there is no room, so that the end of an address or a file name stays. The
 * whole text is its title, and what screen readers read and a selection copies.
 */
export function MiddleText({ text }: { text: string }) {
  if (text.length < minCut) {
    return (
      <span title={text} className="block truncate">
        {text}
      </span>
    )
  }
  const tailAt = text.length - tailLength
  return (
    <span title={text} data-head={text.slice(0, tailAt)} data-tail={text.slice(tailAt)} className="middle-text">
      <span className="sr-only">{text}</span>
    </span>
  )
}
