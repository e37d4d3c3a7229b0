import { inspectDatabase } from '../../server/services/organizations/installation'

/**
 * A process of its own that reads every page of a database file, which takes minutes for a large one and cannot be
 * interrupted in a thread. Prints the first thing that is damaged, or nothing.
 */
const [file = ''] = process.argv.slice(2)
const [damage = ''] = inspectDatabase(file).damage
process.stdout.write(damage)
