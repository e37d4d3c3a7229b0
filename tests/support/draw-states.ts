import { addressTransitions, sourceTransitions, type Transition } from '../../server/services/crawling/transitions'

/** The state diagrams of the documentation, drawn from the tables that the code obeys. */
export function drawStates(): string {
  return [
    '# States of a source and of an address',
    "Drawn from the tables in `server/services/crawling/transitions.ts`, which are the only way in which the code changes a status; a test holds this page and the tables together. The statuses are the contract's; what is finer stands in the reason.",
    '## Source',
    diagram(sourceTransitions),
    table(sourceTransitions),
    '## Address',
    diagram(addressTransitions),
    table(addressTransitions),
    '',
  ].join('\n\n')
}

function diagram(transitions: Record<string, Transition<string>>): string {
  const arrows = Object.entries(transitions).flatMap(([cause, { from, to }]) =>
    (from.length === 0 ? ['[*]'] : from).map((state) => `  ${name(state)} --> ${name(to)}: ${cause}`),
  )
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n')
}

function table(transitions: Record<string, Transition<string>>): string {
  const rows = Object.entries(transitions).map(
    ([cause, { from, to, why }]) => `| ${cause} | ${from.join(', ') || '(new)'} | ${to} | ${why} |`,
  )
  return ['| cause | from | to | when |', '|---|---|---|---|', ...rows].join('\n')
}

/** A diagram's names have no hyphens. */
function name(state: string): string {
  return state.replaceAll('-', '_')
}
