import { AnswerText } from '../markdown/answer-text'
import { CopyButton } from '../ui/copy-button'
import { Failure, Foot, Question, Retry } from './message'
import { SourceList } from './source-list'
import type { Exchange } from './use-chat'

/** The message in progress, before it is part of the loaded thread. */
export function LiveExchange({ exchange, retry }: { exchange: Exchange; retry: () => void }) {
  const { prompt, answer, fragments, state, failure } = exchange
  const isWriting = state === 'waiting' || state === 'writing'
  return (
    <>
      <Question text={prompt} />
      <article aria-label="Answer" aria-busy={isWriting} className="text-read">
        {answer && <AnswerText markdown={answer} fragments={fragments} />}
        {isWriting && (
          <p className="text-soft">
            {state === 'waiting' ? 'Looking for sources' : answer ? '' : 'Writing'}
            <span
              className="ml-1 inline-block h-4 w-[7px] animate-pulse rounded-[2px] bg-accent align-[-3px]"
              aria-hidden="true"
            />
          </p>
        )}
        {state === 'stopped' && <p className="mt-1 text-small text-soft">Stopped. This answer is not complete.</p>}
        {failure && <Failure text={failure} />}
        {!isWriting && (
          <>
            <SourceList fragments={fragments} />
            <Foot>
              {answer && <CopyButton text={answer} />}
              <Retry retry={retry} />
            </Foot>
          </>
        )}
      </article>
    </>
  )
}
