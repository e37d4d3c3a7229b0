import type { App, Services } from '../server/app'
import type { Runner } from './runner'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The parts of the app that the schedule uses. */
interface ScheduledApp {
  services: {
    runControl: Pick<Services['runControl'], 'refreshDue'>
    files: Pick<Services['files'], 'removeLeftovers'>
    chat: Pick<Services['chat'], 'failOrphaned'>
    retention: Pick<Services['retention'], 'runDue'>
    usageRecords: Pick<Services['usageRecords'], 'record'>
    scheduledBackups: Pick<Services['scheduledBackups'], 'runDue'>
    notices: Pick<Services['notices'], 'check'>
    optimizer: Pick<Services['optimizer'], 'sweep'>
  }
  identity: Pick<App['identity'], 'sweep'>
  sweep: App['sweep']
  log: Pick<App['log'], 'error'>
}

interface Task {
  everyMs: number
  run(): Promise<unknown>
  /** What is logged if it fails; the next run is not affected. */
  failure: string
}

/** Runs what has to be done from time to time, now and at its interval, in one process of the installation. */
export function startSchedule(
  { services, identity, sweep, log }: ScheduledApp,
  { isLeader, wake }: Pick<Runner, 'isLeader' | 'wake'>,
): { stop(): void } {
  const { runControl, files, chat, retention, usageRecords, scheduledBackups, optimizer, notices } = services
  const stopping = new AbortController()
  const tasks: Task[] = [
    {
      everyMs: 5 * secondMs,
      run: () => chat.failOrphaned(),
      failure: 'Looking for questions of processes that have died failed.',
    },
    {
      everyMs: minuteMs,
      run: async () => {
        if ((await runControl.refreshDue()) > 0) wake()
      },
      failure: 'Looking for planned refreshes failed.',
    },
    {
      everyMs: 10 * minuteMs,
      run: async () => {
        await identity.sweep()
        await sweep()
      },
      failure: 'Expired sessions and sign-ins could not be deleted.',
    },
    {
      everyMs: hourMs,
      run: () => files.removeLeftovers(),
      failure: 'The files of interrupted uploads could not be removed.',
    },
    {
      everyMs: hourMs,
      run: () => retention.runDue(stopping.signal),
      failure: 'Old data could not be deleted.',
    },
    {
      everyMs: hourMs,
      run: () => usageRecords.record(),
      failure: 'The usage of the month could not be recorded.',
    },
    {
      everyMs: minuteMs,
      run: () => scheduledBackups.runDue(stopping.signal),
      failure: 'Looking for due backups failed.',
    },
    {
      everyMs: 5 * minuteMs,
      run: () => notices.check(),
      failure: 'Looking for what needs attention failed.',
    },
    {
      everyMs: hourMs,
      run: () => optimizer.sweep(stopping.signal),
      failure: 'Free space of the database could not be given back.',
    },
  ]

  async function run({ run, failure }: Task): Promise<void> {
    try {
      if (await isLeader()) await run()
    } catch (error) {
      log.error({ err: error }, failure)
    }
  }

  const timers = tasks.map((task) => setInterval(() => void run(task), task.everyMs))
  for (const timer of timers) timer.unref()
  for (const task of tasks) void run(task)
  return {
    stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
    },
  }
}
