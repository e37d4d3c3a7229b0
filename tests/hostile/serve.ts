import { linkedPages } from '../support/sites/linked-pages'
import { startSite } from '../support/sites/site'
import { behaviours } from './behaviours'
import { startHosts } from './hosts'

/** Runs the hostile hosts and some healthy sites in a process of their own, so that their cost is not measured. */
const [seed = 1, healthySites = 0, healthyPages = 0] = process.argv.slice(2).map(Number)

const hosts = await startHosts(behaviours, seed)
const healthy: string[] = []
for (let site = 0; site < healthySites; site++) {
  const pages = linkedPages(healthyPages, () => undefined, 20)
  healthy.push((await startSite(pages)).origin)
}
process.on('message', () => process.send?.(hosts.counts()))
process.on('disconnect', () => process.exit(0))
process.send?.({ hosts: hosts.list, healthy })
