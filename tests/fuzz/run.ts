import { seededRandom } from '../support/seeded-random'
import { below, mutate } from './mutate'
import { createReader, prepareReaders } from './readers'
import type { Answer } from './reading-process'
import type { Kind, Sample } from './samples'

/** A file that was made out of another, as it follows from the seed, its number and the kind that was asked for. */
export interface Mutation {
  number: number
  kind: Kind
  from: string
  changes: string[]
  bytes: Buffer
}

export type Result = Omit<Mutation, 'bytes'> & Answer & { size: number }

/** The mutation of this number. Kinds come up equally often, however many samples each has. */
export function mutationOf(samples: readonly Sample[], seed: number, number: number): Mutation {
  const random = seededRandom(seed, `mutation ${number}`)
  const kinds = [...new Set(samples.map(({ kind }) => kind))]
  const kind = kinds[below(kinds.length, random)]
  const same = samples.filter((sample) => sample.kind === kind)
  const [source, other] = [same[below(same.length, random)], samples[below(samples.length, random)]]
  if (!source || !other) throw new Error('There are no samples of this kind.')
  const { bytes, changes } = mutate(source.bytes, other.bytes, source.entries, random)
  return { number, kind: source.kind, from: source.name, changes, bytes }
}

/** Reads mutations, two at once, and hands on what came of each. */
export async function readMutations(
  samples: readonly Sample[],
  { seed, numbers }: { seed: number; numbers: readonly number[] },
  report: (result: Result, bytes: Buffer) => void,
): Promise<void> {
  await prepareReaders()
  const left = [...numbers].reverse()
  const work = async () => {
    const reader = await createReader()
    try {
      for (let number = left.pop(); number !== undefined; number = left.pop()) {
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
