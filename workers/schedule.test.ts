import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startSchedule } from './schedule'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const leader = { isLeader: async () => true, wake: () => {} }

function createApp() {
  const refreshDue = vi.fn(async () => 0)
  const removeLeftovers = vi.fn(async () => 0)
  const sweep = vi.fn(async () => {})
  const failOrphaned = vi.fn(async () => {})
  const record = vi.fn(async () => {})
  const services = {
    runControl: { refreshDue },
    files: { removeLeftovers },
    chat: { failOrphaned },
    retention: { runDue: vi.fn(async () => {}) },
    usageRecords: { record },
    scheduledBackups: { runDue: vi.fn(async () => {}) },
    notices: { check: vi.fn(async () => {}) },
    optimizer: { sweep: vi.fn(async () => {}) },
  }
  return { services, identity: { sweep }, sweep: vi.fn(async () => {}), log: pino({ level: 'silent' }) }
}

it('starts due runs every minute and reports those it started', async () => {
  const app = createApp()
  const wake = vi.fn()
  app.services.runControl.refreshDue
    .mockResolvedValueOnce(0)
    .mockRejectedValueOnce(new Error('busy'))
    .mockResolvedValueOnce(2)
  const schedule = startSchedule(app, { isLeader: async () => true, wake })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(3)
  expect(wake).toHaveBeenCalledTimes(1)
  schedule.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(3)
})

it('removes leftover files at the start and every hour, also after a failure', async () => {
  const app = createApp()
  app.services.files.removeLeftovers.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, leader)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.services.files.removeLeftovers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect(app.services.files.removeLeftovers).toHaveBeenCalledTimes(3)
  schedule.stop()
})

it('records the usage at the start and every hour, also after a failure', async () => {
  const app = createApp()
  app.services.usageRecords.record.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, leader)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.services.usageRecords.record).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect(app.services.usageRecords.record).toHaveBeenCalledTimes(3)
  schedule.stop()
})

it('deletes expired sessions at the start and every ten minutes, also after a failure', async () => {
  const app = createApp()
  app.identity.sweep.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, leader)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.identity.sweep).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 600_000)
  expect(app.identity.sweep).toHaveBeenCalledTimes(3)
  schedule.stop()
})

it('fails questions of dead processes at the start and every 5 seconds, also after a failure', async () => {
  const app = createApp()
  app.services.chat.failOrphaned.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, leader)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(app.services.chat.failOrphaned).toHaveBeenCalledTimes(7)
  schedule.stop()
})

it('looks for old data to delete at the start and every hour, also after a failure', async () => {
  const app = createApp()
  app.services.retention.runDue.mockRejectedValueOnce(new Error('busy'))
  const schedule = startSchedule(app, leader)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(app.services.retention.runDue).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect(app.services.retention.runDue).toHaveBeenCalledTimes(3)
  schedule.stop()
})

it('leaves everything to another process that is elected', async () => {
  const app = createApp()
  let isElected = false
  const schedule = startSchedule(app, { ...leader, isLeader: async () => isElected })
  await vi.advanceTimersByTimeAsync(61_000)
  expect(app.services.runControl.refreshDue).not.toHaveBeenCalled()
  isElected = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(app.services.runControl.refreshDue).toHaveBeenCalledTimes(1)
  schedule.stop()
})
