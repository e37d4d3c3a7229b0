import type { PreviewEvent, PreviewSummary } from '../../../../contract/views/preview'

export type PreviewAddress = Extract<PreviewEvent, { kind: 'address' }>

/** What is known from the events of a preview so far. */
export interface PreviewState {
  phase: 'running' | 'stopped' | 'ended' | 'failed'
  /** Included addresses, at most `maxListedAddresses`; the summary counts all. */
  in: PreviewAddress[]
  out: PreviewAddress[]
  /** Addresses on other sites, which the summary does not count. */
  elsewhere: PreviewAddress[]
  summary: PreviewSummary | null
  /** Why the preview is incomplete. */
  failure: string | null
}

export const maxListedAddresses = 200

export const initialPreview: PreviewState = {
  phase: 'running',
  in: [],
  out: [],
  elsewhere: [],
  summary: null,
  failure: null,
}

/** Returns the state after more events. An address that is reported again replaces its earlier report. */
export function applyEvents(state: PreviewState, events: PreviewEvent[]): PreviewState {
  const after = { ...state, in: [...state.in], out: [...state.out], elsewhere: [...state.elsewhere] }
  for (const event of events) {
    if (event.kind === 'address') {
      if (event.reason === 'duplicate') after.in = after.in.filter(({ address }) => address !== event.address)
      const list = event.other_site ? after.elsewhere : event.in ? after.in : after.out
      if (list.length < maxListedAddresses) list.push(event)
    } else {
      after.summary = event
      if (event.kind === 'done') after.phase = 'ended'
    }
  }
  return after
}

/** Why nothing of the site could be read; null if something could, and while that is not known. */
export function siteProblem({ phase, summary, out }: PreviewState): string | null {
  if (phase !== 'ended' || !summary || summary.in + summary.read > 0 || summary.found > 1) return null
  return out[0]?.message ?? null
}
