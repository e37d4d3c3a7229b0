import { addressTransitions, sourceTransitions, type Transition } from '../../server/services/runs/transitions'

/** The state diagrams of the documentation, drawn from the tables that the code obeys. */
export function drawStates(): string {
  return [
    '# States of a source and of an address',
    "Generated from the tables in `server/services/runs/transitions.ts`, which define every status change; a test compares this page with the tables. The statuses are the contract's; the reason of an address gives the details.",
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
  const arrows = Object.entries(transitions).flatMap(([event, { from, to }]) =>
    (from.length === 0 ? ['[*]'] : from).map((state) => `  ${name(state)} --> ${name(to)}: ${event}`),
  )
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n')
}

function table(transitions: Record<string, Transition<string>>): string {
  const rows = Object.entries(transitions).map(
    ([event, { from, to, why }]) => `| ${event} | ${from.join(', ') || '(new)'} | ${to} | ${why} |`,
  )
  return ['| event | from | to | when |', '|---|---|---|---|', ...rows].join('\n')
}

/** A diagram's names have no hyphens. */
function name(state: string): string {
  return state.replaceAll('-', '_')
}
