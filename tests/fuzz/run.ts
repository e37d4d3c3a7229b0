import { seededRandom } from '../support/seeded-random'
import { below, mutate } from './mutate'
import { createReader, prepareReaders } from './readers'
import type { ReadResult } from './reading-process'
import type { Kind, Sample } from './samples'

/** A file derived from a sample, determined by the seed, its number and the kinds of samples. */
export interface Mutation {
  number: number
  kind: Kind
  from: string
  changes: string[]
  bytes: Buffer
}

export type Result = Omit<Mutation, 'bytes'> & ReadResult & { size: number }

/** Returns a mutation by number. All kinds are equally frequent, whatever their number of samples. */
export function mutationOf(samples: readonly Sample[], seed: number, number: number): Mutation {
  const random = seededRandom(seed, `mutation ${number}`)
  const kinds = [...new Set(samples.map(({ kind }) => kind))]
  const kind = kinds[below(kinds.length, random)]
  const same = samples.filter((sample) => sample.kind === kind)
  const [source, second] = [same[below(same.length, random)], samples[below(samples.length, random)]]
  if (!source || !second) throw new Error('There are no samples of this kind.')
  const { bytes, changes } = mutate(source.bytes, second.bytes, source.entries, random)
  return { number, kind: source.kind, from: source.name, changes, bytes }
}

/** Reads mutations, two at a time, and reports the results. */
export async function readMutations(
  samples: readonly Sample[],
  { seed, numbers }: { seed: number; numbers: readonly number[] },
  report: (result: Result, bytes: Buffer) => void,
): Promise<void> {
  await prepareReaders()
  const remaining = [...numbers].reverse()
  const work = async () => {
    const reader = await createReader()
    try {
      for (let number = remaining.pop(); number !== undefined; number = remaining.pop()) {
        const { bytes, ...mutation } = mutationOf(samples, seed, number)
        const answer = await reader.read(mutation.kind, bytes)
        report({ ...mutation, ...answer, size: bytes.length }, bytes)
      }
    } finally {
      await reader.close()
    }
  }
  await Promise.all([work(), work()])
}
