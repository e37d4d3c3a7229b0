import { Popover } from 'radix-ui'
import type { FragmentView } from '../../../contract/thread'
import { passageLink, shortAddress } from '../search/passage'
import { formatScore } from '../ui/format'
import { useHydrated } from '../ui/hydrated'

const mark =
  'mx-0.5 inline-block min-w-[18px] rounded-[5px] bg-accent-soft px-1 text-center align-[2px] text-[11px] !no-underline font-[650] leading-[17px] text-accent-strong hover:bg-accent hover:text-on-accent'

/** A number in an answer that opens its source. Without a script it leads to the page. */
export function Citation({ number, fragment }: { number: number; fragment: FragmentView }) {
  const hydrated = useHydrated()
  const link = passageLink(fragment.link, fragment.content)
  if (!hydrated) {
    return (
      <a href={link} target="_blank" rel="noopener nofollow" aria-label={`Source ${number}`} className={mark}>
        {number}
      </a>
    )
  }
  return (
    <Popover.Root>
      <Popover.Trigger className={mark} aria-label={`Source ${number}`}>
        {number}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={`Source ${number}`}
          sideOffset={6}
          collisionPadding={12}
          className="rise z-30 w-[min(400px,calc(100vw-24px))] rounded-medium border border-line bg-surface p-4 shadow-high"
        >
          <p className="font-[620]">{fragment.title || shortAddress(fragment.url)}</p>
          <p className="break-all text-small text-soft">{shortAddress(fragment.url)}</p>
          <p className="mt-2 max-h-48 overflow-y-auto whitespace-pre-line break-words text-small">{fragment.content}</p>
          <div className="mt-3 flex items-baseline justify-between gap-3 text-small">
            <span className="tabular-nums text-soft">Score {formatScore(fragment.score)}</span>
            <a
              href={link}
              target="_blank"
              rel="noopener nofollow"
              className="font-[570] text-accent-strong hover:underline"
            >
              Open the passage
            </a>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
