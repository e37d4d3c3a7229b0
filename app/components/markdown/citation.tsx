import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import { paths } from '../../paths'
import { dashboardPath, placeOf } from '../passages/passage'
import { Passage } from '../passages/passage-link'
import { Marked } from '../passages/passage-text'
import { SiteIcon } from '../site-icon'
import { Popover } from '../ui/floating/popover'
import { formatScore, shortAddress } from '../ui/format'

/** The classes of the number of a citation, which is also a link where the fragments are not shown. */
export const citationClasses =
  'mx-0.5 inline-block min-w-[18px] rounded-[5px] bg-accent-soft px-1 text-center align-[2px] text-[11px] font-semibold leading-[17px] text-accent-strong no-underline hover:bg-accent hover:text-on-accent'

/** A citation that opens its source. Only phrasing content, because it appears within paragraphs. */
export function Citation({ number, fragment }: { number: number; fragment: FragmentView }) {
  return (
    <Popover
      name={`Source ${number}`}
      button={number}
      buttonClassName={citationClasses}
      className="m-auto w-[min(400px,calc(100vw-24px))] rounded-medium border border-line border-l-[3px] border-l-mark-line bg-raised p-4 text-base text-text shadow-high"
    >
      <span className="flex items-center gap-2 font-semibold">
        {fragment.collection_id && (
          <SiteIcon icons={paths.collectionIcons(fragment.collection_id)} url={fragment.url} />
        )}
        <span className="min-w-0 break-words">{fragment.title || shortAddress(fragment.url)}</span>
      </span>
      <span className="block break-all text-meta text-soft">{placeOf(fragment)}</span>
      <span
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a passage that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="mt-2 block max-h-48 overflow-y-auto whitespace-pre-line break-words text-meta"
      >
        {fragment.passage ? (
          <Marked part={{ text: fragment.passage.text, start: 0 }} passage={fragment.passage} />
        ) : (
          fragment.content
        )}
      </span>
      <span className="mt-3 flex items-baseline justify-between gap-3 text-meta">
        <span className="tabular-nums text-soft">Score {formatScore(fragment.score)}</span>
        {isWeb(fragment.link) && <Passage fragment={fragment}>Open the passage</Passage>}
        {dashboardPath(fragment) && <Passage fragment={fragment}>Open the file</Passage>}
      </span>
    </Popover>
  )
}
