import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startSchedule } from './schedule'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createApp() {
  const refreshDue = vi.fn(async () => 0)
  const removeLeftovers = vi.fn(async () => 0)
  const sweep = vi.fn(async () => {})
  const services = { runControl: { refreshDue }, files: { removeLeftovers } }
  return { services, identity: { sweep }, log: pino({ level: 'silent' }) }
}

it('starts due runs every minute and reports those it started', async () => {
  const app = createApp()
  const onStarted = vi.fn()
  app.services.runControl.refreshDue
    .mockResolvedValueOnce(0)
    .mockRejectedValueOnce(new Error('busy'))
    .mockResolvedValueOnce(2)
  const schedule = startSchedule(app, onStarted)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(3)
  expect(onStarted).toHaveBeenCalledTimes(1)
  schedule.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(3)
})

it('removes leftover files at the start and every hour, also after a failure', async () => {
  const app = createApp()
  app.services.files.removeLeftovers.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, () => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.services.files.removeLeftovers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect(app.services.files.removeLeftovers).toHaveBeenCalledTimes(3)
  schedule.stop()
})

it('deletes expired sessions at the start and every ten minutes, also after a failure', async () => {
  const app = createApp()
  app.identity.sweep.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, () => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.identity.sweep).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 600_000)
  expect(app.identity.sweep).toHaveBeenCalledTimes(3)
  schedule.stop()
})
