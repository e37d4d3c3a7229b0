import { createHash } from 'node:crypto'

/** Which half of a set a page is in. Rules are made by looking at `dev` alone; `held out` tells whether they are general. */
export type Half = 'dev' | 'held out'

/** By the name of the page, whatever else is in the set. */
export function halfOf(name: string): Half {
  const [first = 0] = createHash('sha256').update(name).digest()
  return first % 2 === 0 ? 'dev' : 'held out'
}
