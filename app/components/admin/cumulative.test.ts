import { expect, it } from 'vitest'
import { adminTitle } from './admin-title'
import { cumulative } from './cumulative'

// contract 7d.5: The chart prepends a zero point and accumulates
it('adds up the users of each day, from zero', () => {
  const points = [
    { date: '2026-01-03', count: 2 },
    { date: '2026-02-01', count: 1 },
  ]
  expect(cumulative(points)).toEqual([
    { date: '2026-01-01', count: 0 },
    { date: '2026-01-03', count: 2 },
    { date: '2026-02-01', count: 3 },
  ])
  expect(cumulative([])).toEqual([{ date: '2026-01-01', count: 0 }])
  expect(cumulative([{ date: '2026-01-01', count: 4 }])[0]).toEqual({ date: '2020-01-01', count: 0 })
})

// contract 2m.2: A random greeting of three
it('greets with one of three titles', () => {
  const titles = [0, 0.4, 0.99].map((random) => adminTitle(random))
  expect(titles).toEqual(['Captain on deck', 'Welcome back commander', 'At a glance...'])
})
