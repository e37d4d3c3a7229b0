import { Notice } from '../ui/feedback/notice'

type EmbeddingState = { kind: 'starting' } | { kind: 'ready'; model: string } | { kind: 'unavailable'; reason: string }

/** Says when semantic search is not available, or not yet. */
export function EmbeddingNotice({ state }: { state: EmbeddingState }) {
  if (state.kind === 'ready') return null
  if (state.kind === 'starting') {
    return (
      <Notice kind="info" title="Semantic search is starting">
        The embedding model is loading. Until then, only keyword search works.
      </Notice>
    )
  }
  return (
    <Notice kind="warning" title="Only keyword search works">
      The embedding model cannot run here: {state.reason} Everything else works. Sitelore builds the semantic index once
      it runs.
    </Notice>
  )
}
