import type { PreviewEvent, PreviewSummary } from '../../../contract/views/preview'

export type PreviewAddress = Extract<PreviewEvent, { kind: 'address' }>

/** What a preview has told so far. */
export interface PreviewState {
  phase: 'running' | 'stopped' | 'ended' | 'failed'
  /** The first of each kind; the summary counts all. */
  in: PreviewAddress[]
  out: PreviewAddress[]
  summary: PreviewSummary | null
  /** Why there is no whole preview. */
  failure: string | null
}

/** So many addresses of each kind are shown. */
export const shownAddresses = 200

export const startedPreview: PreviewState = { phase: 'running', in: [], out: [], summary: null, failure: null }

/** The state after some more events. What is told again of an address takes the place of what was told before. */
export function afterEvents(state: PreviewState, events: PreviewEvent[]): PreviewState {
  const after = { ...state, in: [...state.in], out: [...state.out] }
  for (const event of events) {
    if (event.kind === 'address') {
      if (event.reason === 'duplicate') after.in = after.in.filter(({ address }) => address !== event.address)
      const list = event.in ? after.in : after.out
      if (list.length < shownAddresses) list.push(event)
    } else {
      after.summary = event
      if (event.kind === 'done') after.phase = 'ended'
    }
  }
  return after
}
