import { CopyButton } from '../copy-button'
import { AnswerText } from '../markdown/answer-text'
import { citedNumbers } from './cited-numbers'
import { Failure, Foot, Note, Question, Retry } from './message'
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
        {state === 'stopped' && <Note text={answer ? 'Stopped. This answer is not complete.' : 'Stopped.'} />}
        {failure && (answer ? <Note text={failure.message || failure.title} /> : <Failure {...failure} />)}
        <SourceList fragments={fragments} cited={citedNumbers(answer, fragments.length)} />
        {!isWriting && (
          <Foot>
            {answer && <CopyButton text={answer} />}
            <Retry retry={retry} />
          </Foot>
        )}
      </article>
    </>
  )
}
