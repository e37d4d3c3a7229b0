import { sourceTransitions, type Transition, visitTransitions } from '../../server/services/runs/transitions'

/** The state diagrams of the documentation, drawn from the tables that the code obeys. */
export function drawStates(): string {
  return [
    '# States of a source and of an address',
    "Drawn from the tables in `server/services/runs/transitions.ts`; a test compares this page with them. The statuses are the contract's; reasons give the details.",
    '## Source',
    table(sourceTransitions),
    '## Address',
    'A run visits addresses, and an address changes when a visit ends. If the run ends first, its open visits are deleted and the addresses are as before. Without a visit, an address is `new` until its first one, `idle` if the rules of its source exclude it or a person ignores it, and `limit` beyond a limit.',
    table(visitTransitions),
    '',
  ].join('\n\n')
}

function table(transitions: Record<string, Transition<string>>): string {
  const rows = Object.entries(transitions).map(
    ([event, { from, to, why }]) => `| ${event} | ${from.join(', ') || '(new)'} | ${to} | ${why} |`,
  )
  return ['| event | from | to | when |', '|---|---|---|---|', ...rows].join('\n')
}
