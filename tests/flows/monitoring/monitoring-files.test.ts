import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createMetrics } from '../../../server/adapters/telemetry/metrics'

const readings = {
  jobs: [],
  backlog: { without_vector: 0, not_in_text_index: 0 },
  failingSources: 0,
  database: { bytes: 0, wal_bytes: null },
  disk: { free: 0, total: 0 },
  lastBackup: null,
}

/** Names of the metrics that exist, and those that a text uses, without the suffixes of histograms. */
const exported = [...(await createMetrics('1.0.0').text(async () => readings)).matchAll(/^# TYPE (\S+) /gm)].map(
  ([, name = '']) => name,
)
const ours = exported.filter((name) => name.startsWith('sitelore_'))
function usedIn(file: string): string[] {
  const names = readFileSync(file, 'utf8').match(/\b(?:sitelore|nodejs|process)_[a-z0-9_]+/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))]
}

it('documents every metric, and none that does not exist', () => {
  expect(
    usedIn('docs/manual/18-monitoring.md')
      .filter((name) => name.startsWith('sitelore_'))
      .sort(),
  ).toEqual(ours.sort())
})

it.each(['deploy/grafana/sitelore.json', 'deploy/prometheus/alerts.yaml'])(
  '%s uses only metrics that exist',
  (file) => {
    const used = usedIn(file)
    expect(used.length).toBeGreaterThan(8)
    expect(used.filter((name) => !exported.includes(name))).toEqual([])
  },
)

it('shows every metric on the dashboard', () => {
  expect(ours.filter((name) => !usedIn('deploy/grafana/sitelore.json').includes(name))).toEqual([])
})
