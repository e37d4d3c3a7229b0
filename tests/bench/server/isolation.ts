/**
 * Checks that searches stay within their organization when the nearest fragments belong to others.
 *
 *   npx tsx tests/bench/server/isolation.ts [organizations] [fragments of each] [queries]
 */
import { measureIsolation } from '../../support/isolation'

const [organizations = 100, fragments = 1_000, queries = 10_000] = process.argv.slice(2).map(Number)
const { foreign, short, stored, searched } = await measureIsolation({ organizations, fragments, queries })
const count = (number: number) => number.toLocaleString('en')
console.log(
  `${count(organizations)} organizations with ${count(fragments)} fragments each, stored in ${seconds(stored)}`,
)
console.log(
  `${count(queries)} queries in ${seconds(searched)}: ${foreign} foreign hits, ${short} searches with fewer hits than there are`,
)
process.exitCode = foreign + short === 0 ? 0 : 1

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
