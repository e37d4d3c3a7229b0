import { providerLabels } from '../../../contract/enumerations'
import type { MessageView } from '../../../contract/views/thread'
import { Dialog } from '../ui/dialogs/dialog'
import { formatCount, formatScore, formatSeconds } from '../ui/format'

/** Shows the model, tokens, time and fragments of an answer. */
export function Inspection({ message, closeTo }: { message: MessageView; closeTo: string }) {
  const facts = [
    [
      'Model',
      [message.provider && providerLabels[message.provider], message.model].filter(Boolean).join(' · ') || 'Unknown',
    ],
    ['Tokens in', message.tokens_input === null ? 'Unknown' : formatCount(message.tokens_input)],
    ['Tokens out', message.tokens_output === null ? 'Unknown' : formatCount(message.tokens_output)],
    ['Time', message.time_processing === null ? 'Unknown' : formatSeconds(message.time_processing)],
  ] as const
  return (
    <Dialog title="Message inspection" closeTo={closeTo} wide>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-small text-soft">{name}</dt>
            <dd className="break-words font-[550] tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 mb-2 font-[620]">Source Fragments</h3>
      {message.fragments.length === 0 && <p className="text-soft">No fragments were used.</p>}
      <ol className="grid gap-2.5">
        {message.fragments.map((fragment, index) => (
          <li key={fragment.id} className="rounded-medium border border-line p-3">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-small text-soft">
              <span className="break-all">
                <b className="mr-1.5 text-accent-strong">{index + 1}</b>
                {fragment.id}
              </span>
              <span className="tabular-nums">Score {formatScore(fragment.score)}</span>
            </div>
            <p className="break-all text-small text-soft">{fragment.url}</p>
            <p className="mt-1.5 whitespace-pre-line break-words">{fragment.content}</p>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
