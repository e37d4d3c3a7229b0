import { providerLabels, verdictLabels } from '../../../contract/values/enumerations'
import type { Candidate, MessageView } from '../../../contract/views/chat/thread'
import { Dialog } from '../ui/dialogs/dialog'
import { formatCount, formatScore, formatSeconds } from '../ui/format'

const reasonLabels: Record<Candidate['reason'], string> = {
  'below-threshold': 'Below the similarity threshold',
  duplicate: 'Same content as another fragment',
  'same-address': 'Too many fragments of the same page',
  'over-limit': 'Over the fragment limit',
  'over-budget': "No room in the model's context",
}

/** Shows what an answer was made from: model, query, verdict, tokens, times and fragments. */
export function Inspection({ message, closeTo }: { message: MessageView; closeTo: string }) {
  return (
    <Dialog title="Message inspection" closeTo={closeTo} wide>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        {factsOf(message).map(([name, value]) => (
          <div key={name} className="min-w-0 first:col-span-2">
            <dt className="text-meta text-soft">{name}</dt>
            <dd className="break-words font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {message.query !== null && (
        <>
          <h3 className="mt-5 mb-1 font-semibold">Query</h3>
          <p className="whitespace-pre-line break-words">{message.query}</p>
        </>
      )}
      {message.translated_query !== null && (
        <>
          <h3 className="mt-5 mb-1 font-semibold">Translated query</h3>
          <p className="break-words">{message.translated_query}</p>
        </>
      )}
      <h3 className="mt-5 mb-2 font-semibold">Source Fragments</h3>
      {message.fragments.length === 0 && <p className="text-soft">No fragments were used.</p>}
      <ol className="grid gap-2.5">
        {message.fragments.map((fragment, index) => (
          <li key={fragment.id} className="rounded-medium border border-line p-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-meta text-soft">
              <span className="min-w-0 break-words font-medium text-base text-text">
                <b className="mr-1.5 text-accent-strong">{index + 1}</b>
                {fragment.title || fragment.url}
              </span>
              <span className="tabular-nums">
                {message.cited.includes(index + 1) ? 'Cited · ' : ''}Score {formatScore(fragment.score)}
              </span>
            </div>
            <p className="break-all text-meta text-soft">{fragment.url}</p>
            {fragment.headings.length > 0 && (
              <p className="break-words text-meta text-soft">{fragment.headings.join(' › ')}</p>
            )}
            <p className="mt-1.5 whitespace-pre-line break-words">{fragment.content}</p>
            <p className="mt-1.5 break-all font-mono text-soft text-meta">{fragment.id}</p>
          </li>
        ))}
      </ol>
      {message.candidates.length > 0 && <Candidates candidates={message.candidates} />}
    </Dialog>
  )
}

function Candidates({ candidates }: { candidates: Candidate[] }) {
  return (
    <details className="mt-5">
      <summary className="inline-block rounded-small font-semibold">Found but not used: {candidates.length}</summary>
      <ol className="mt-2 grid gap-1.5">
        {candidates.map(({ id, title, url, score, reason }) => (
          <li key={id} className="border-t border-line pt-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0 break-words">{title || url}</span>
              <span className="text-meta tabular-nums text-soft">Score {formatScore(score)}</span>
            </div>
            <p className="break-all text-meta text-soft">
              {reasonLabels[reason]} · {url}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}

function factsOf(message: MessageView): [name: string, value: string][] {
  const model = [message.provider && providerLabels[message.provider], message.model].filter(Boolean).join(' · ')
  const time = (milliseconds: number | null) => (milliseconds === null ? 'None' : formatSeconds(milliseconds))
  const tokens = (count: number | null) => (count === null ? 'None' : formatCount(count))
  return [
    ['Model', model || 'No model was used'],
    ['Verdict', message.verdict === null ? 'None' : verdictLabels[message.verdict]],
    ['Tokens in', tokens(message.tokens_input)],
    ['Tokens out', tokens(message.tokens_output)],
    ['Time', time(message.time_processing)],
    ['Search', time(message.time_search)],
    ['First word', time(message.time_first_text)],
  ]
}
