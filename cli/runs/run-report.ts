import { runSentence } from '../../contract/texts/pages/run-sentence'
import { sourceAddress } from '../../contract/texts/pages/source-address'
import { pluralize } from '../../contract/texts/pluralize'
import type { ReasonCount, RunReport } from '../../contract/views/run'
import type { SourceView } from '../../contract/views/source'
import { CommandError, type Io, printJson, printLines } from '../io'
import type { Outcome } from './follow-run'
import { runFields } from './run-fields'

const maxFailuresShown = 20

/** Prints the outcome of a run, its sentence last. Throws a CommandError if the source failed or is paused. */
export function printOutcome(io: Io, outcome: Outcome, json: boolean): void {
  printOutcomes(io, [outcome], json)
}

/** Prints the outcomes of several runs; as JSON, two or more are the list `runs`. */
export function printOutcomes(io: Io, outcomes: Outcome[], json: boolean): void {
  const documents = outcomes.map(documentOf)
  if (json) printJson(io, documents.length === 1 ? documents[0] : { runs: documents })
  else printLines(io, outcomes.flatMap(linesOf))
  for (const { source } of outcomes) assertRead(source)
}

function assertRead(source: SourceView): void {
  const address = source.url ?? source.name
  if (source.paused)
    throw new CommandError(
      `${address} is paused. Continue with: sitelore resume ${source.url ?? JSON.stringify(source.name)}`,
    )
  if (source.status === 'fail')
    throw new CommandError(`${address} could not be read: ${source.message ?? 'no reason is known.'}`)
}

function documentOf(outcome: Outcome) {
  const { vectors, failures } = outcome
  return {
    ...runFields(outcome),
    collection_fragments: vectors.fragments,
    pending_embeddings: vectors.waiting,
    without_vector_because: vectors.reason,
    failures,
  }
}

function linesOf({ source, collection, vectors, failures }: Outcome): string[] {
  const run = source.last_run
  const lines = [`${source.url ? sourceAddress(source) : source.name} in collection ${collection.name}`]
  for (const { url, message } of failures.slice(0, maxFailuresShown)) lines.push(`  failed  ${url}  ${message ?? ''}`)
  if (failures.length > maxFailuresShown)
    lines.push(`  and ${failures.length - maxFailuresShown} more; --json lists all`)
  if (run) lines.push(...reasonLines(run))
  if (run?.fragments) lines.push(`${pluralize(run.fragments, 'new fragment')}, ${vectors.fragments} in the collection`)
  if (vectors.waiting > 0)
    lines.push(
      `${pluralize(vectors.waiting, 'fragment')} can only be found by keyword search. ${vectors.reason ?? ''}`.trim(),
    )
  if (source.status !== 'idle' && source.status !== 'fail' && source.message) lines.push(source.message)
  if (run?.cancelled) lines.push('Cancelled.')
  if (run) lines.push(runSentence(run))
  return lines
}

/** Counts by reason, which add up to the counts of the run's sentence. */
function reasonLines({ rejected, withdrawals, skipped }: RunReport): string[] {
  const lines = (what: string, reasons: ReasonCount[]) =>
    reasons.map(({ count, message }) => `  ${count} ${what}: ${message}`)
  return [...lines('rejected', rejected), ...lines('withdrawn', withdrawals), ...lines('skipped', skipped)]
}
