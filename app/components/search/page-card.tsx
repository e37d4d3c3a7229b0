import { matchStrength } from '../../../contract/texts/pages/match-strength'
import { isWeb, placeInFile } from '../../../contract/texts/pages/place-in-file'
import type { FoundFragment } from '../../../contract/views/chat/search-results'
import { paths } from '../../paths'
import { dashboardPath, placeOf } from '../passages/passage'
import { Passage } from '../passages/passage-link'
import { PassageText } from '../passages/passage-text'
import { SiteIcon } from '../site-icon'
import { formatCounted, formatScore, shortAddress } from '../ui/format'
import type { FoundPage } from './group-by-page'

/** Passages after the best one that are shown at once. */
const maxOthers = 2

/** What was found on one page: its best passage, and up to two more. */
export function PageCard({ page: { best, others } }: { page: FoundPage }) {
  const shown = others.slice(0, maxOthers)
  const rest = others.slice(maxOthers)
  return (
    <li className="border-line border-t px-4 py-3.5 first:border-t-0">
      <article>
        <div className="flex items-center justify-between gap-4 text-meta text-soft">
          <p className="flex min-w-0 items-center gap-2 [overflow-wrap:anywhere]" title={shortAddress(best.url)}>
            {best.collection_id && <SiteIcon icons={paths.collectionIcons(best.collection_id)} url={best.url} />}
            {contextOf(best)}
          </p>
          <span className="shrink-0">{matchLabel(best)}</span>
        </div>
        <h3 className="mt-1 min-w-0 text-[0.9375rem]">
          <Passage fragment={best} className="break-words font-semibold" linkClassName="text-text hover:underline">
            {best.title || shortAddress(best.url)}
          </Passage>
        </h3>
        <div className="mt-1">
          <PassageText passage={best.passage} />
        </div>
        <FragmentLinks fragment={best} />
        {shown.length > 0 && <OtherPassages fragments={shown} />}
        {rest.length > 0 && (
          <details className="mt-2">
            <summary className="inline-block rounded-small text-accent-strong text-meta hover:underline">
              {formatCounted(rest.length, 'more passage')} of this page
            </summary>
            <OtherPassages fragments={rest} />
          </details>
        )}
      </article>
    </li>
  )
}

function OtherPassages({ fragments }: { fragments: FoundFragment[] }) {
  return (
    <ul className="mt-2.5 grid gap-2.5 border-line border-l-2 pl-3">
      {fragments.map((fragment) => (
        <li key={fragment.id} className="text-[0.8438rem] text-soft">
          {fragment.headings.length > 0 && (
            <p className="mb-0.5 font-medium text-meta text-text">{fragment.headings.join(' › ')}</p>
          )}
          <PassageText passage={fragment.passage} />
          <FragmentLinks fragment={fragment} />
        </li>
      ))}
    </ul>
  )
}

/** Where to read on: at the passage's own place, or the whole fragment here. */
function FragmentLinks({ fragment }: { fragment: FoundFragment }) {
  const { content, score, link } = fragment
  return (
    <div className="mt-1.5 flex flex-wrap items-start gap-x-4 gap-y-1 text-meta">
      {(isWeb(link) || dashboardPath(fragment)) && (
        <Passage fragment={fragment} linkClassName="text-accent-strong hover:underline">
          {isWeb(link) ? 'Open the passage' : 'Open the file'}
        </Passage>
      )}
      <details className="open:w-full">
        <summary className="inline-block rounded-small text-accent-strong hover:underline">
          Show the whole fragment
        </summary>
        <div className="mt-1.5 rounded-medium bg-sunken px-3 py-2.5 text-text">
          <p className="mb-2 max-w-[78ch] whitespace-pre-line break-words text-[0.8438rem] leading-[1.55]">{content}</p>
          <p className="text-soft tabular-nums">
            Score {formatScore(score)} · {matchStrength(score)}
          </p>
        </div>
      </details>
    </div>
  )
}

/** A passage with the words of the query is no weak match, however little its meaning has in common with them. */
function matchLabel({ score, passage }: FoundFragment): string {
  const strength = matchStrength(score)
  return strength === 'Weak match' && passage.highlights.length > 0 ? 'Keyword match' : strength
}

/** The way to a page and to the passage on it, 'lamps.example › service › Warranty', or the file and the place in it. */
function contextOf({ url, link, headings }: FoundFragment): string {
  if (!isWeb(url)) return [placeOf({ url, link }), ...headings].join(' › ')
  const [host = '', ...folders] = shortAddress(url).split(/[?#]/, 1).join('').split('/')
  const names = folders.slice(0, -1).map((folder) => decoded(folder).replaceAll(/[-_]+/g, ' '))
  return [host, ...names, ...headings, placeInFile(link)].filter(Boolean).join(' › ')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
