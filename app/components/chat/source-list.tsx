import type { ReactNode } from 'react'
import { isWeb } from '../../../contract/texts/pages/place-in-file'
import type { FragmentView, PassageView } from '../../../contract/views/chat/fragment'
import type { CitedSource } from '../../../contract/views/chat/thread'
import { paths } from '../../paths'
import { placeOf } from '../passages/passage'
import { Passage } from '../passages/passage-link'
import { Marked } from '../passages/passage-text'
import { SiteIcon } from '../site-icon'
import { shortAddress } from '../ui/format'

const rowClasses = 'block px-3 py-2 text-text'
const linkClasses = 'no-underline hover:bg-sunken'

interface SourceListProps {
  fragments: FragmentView[]
  /** Numbers of fragments, in the order in which they are listed. */
  cited: number[]
}

/** The fragments that an answer cites, with the cited passage of each in one line. */
export function SourceList({ fragments, cited }: SourceListProps) {
  const sources = cited.flatMap((number) => {
    const fragment = fragments[number - 1]
    return fragment ? { number, fragment } : []
  })
  return (
    <Sources count={sources.length}>
      {sources.map(({ number, fragment }) => (
        <li key={fragment.id}>
          <Passage fragment={fragment} className={rowClasses} linkClassName={linkClasses}>
            <SourceText
              number={number}
              icons={fragment.collection_id ? paths.collectionIcons(fragment.collection_id) : null}
              source={fragment}
              passage={fragment.passage ?? null}
            />
          </Passage>
        </li>
      ))}
    </Sources>
  )
}

/** The same for readers who are not in the organization: a file is named, and cannot be opened. */
export function SharedSources({ threadId, sources }: { threadId: string; sources: CitedSource[] }) {
  const icons = paths.threadIcons(threadId)
  return (
    <Sources count={sources.length}>
      {sources.map((source) => (
        <li key={source.number}>
          {isWeb(source.link) ? (
            <a href={source.link} target="_blank" rel="noopener nofollow" className={`${rowClasses} ${linkClasses}`}>
              <SourceText number={source.number} icons={icons} source={source} passage={source.passage} />
            </a>
          ) : (
            <span className={rowClasses}>
              <SourceText number={source.number} icons={icons} source={source} passage={source.passage} />
            </span>
          )}
        </li>
      ))}
    </Sources>
  )
}

function Sources({ count, children }: { count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <details className="mt-3" open={count <= 4}>
      <summary className="inline-block rounded-small text-meta font-medium text-soft hover:text-text">
        {count === 1 ? '1 source' : `${count} sources`}
      </summary>
      <ol className="mt-2 divide-y divide-line overflow-hidden rounded-medium border border-line">{children}</ol>
    </details>
  )
}

interface SourceTextProps {
  number: number
  /** Path under which the icons of sites are; null for a fragment of an unknown collection. */
  icons: string | null
  source: Pick<FragmentView, 'title' | 'url' | 'link'>
  passage: PassageView | null
}

function SourceText({ number, icons, source, passage }: SourceTextProps) {
  return (
    <>
      <span className="flex items-center gap-2">
        {icons && <SiteIcon icons={icons} url={source.url} />}
        <span className="min-w-0 truncate text-[0.8125rem] font-medium">
          {source.title || shortAddress(source.url)}
        </span>
        <b className="grid h-[18px] min-w-[18px] shrink-0 place-items-center rounded-[5px] bg-accent-soft px-1 font-semibold text-[0.6875rem] text-accent-strong">
          {number}
        </b>
        <span className="ml-auto max-w-[45%] shrink-0 truncate text-meta text-soft">{placeOf(source)}</span>
      </span>
      {passage && (
        <span className="mt-1 block truncate border-mark-line border-l-2 pl-2 text-[0.8125rem] text-soft">
          <Marked part={{ text: passage.text, start: 0 }} passage={passage} />
        </span>
      )}
    </>
  )
}
