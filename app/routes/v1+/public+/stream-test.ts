import { setTimeout as wait } from 'node:timers/promises'
import { testStream } from '../../../../contract/api/visitors'
import { streamTest } from '../../../../contract/chat/embed'
import { methods, openApi } from '../../../http/api/api.server'
import { eventStream, type ServerEvent } from '../../../http/streams/sse.server'

/** Sends events at a fixed interval, in the form of an answer. A client sees whether a proxy in between holds them back. */
const route = methods({
  GET: openApi({ operation: testStream, handler: ({ context }) => eventStream(context, testEvents(context.signal)) }),
})

export const loader = route
export const action = route

async function* testEvents(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  for (let number = 1; number <= streamTest.events; number++) {
    if (number > 1) await wait(streamTest.intervalMs, undefined, { signal })
    yield { event: number === streamTest.events ? 'done' : 'test', data: { number } }
  }
}
