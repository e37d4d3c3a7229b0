import type { QuestionDay } from '../../../contract/views/overview'
import { Card, CardHead } from '../ui/card'
import { formatCount } from '../ui/format'
import { niceMaximum } from './nice-maximum'

/** Days that fit the width of a phone. */
const daysOnPhones = 14

/** The questions of each day, those with an answer against those without. */
export function QuestionsChart({ days }: { days: QuestionDay[] }) {
  const answered = sumOf(days, 'answered')
  const notFound = sumOf(days, 'not_found')
  const total = answered + notFound
  return (
    <Card label="Questions">
      <CardHead title="Questions" count={`Last ${days.length} days`}>
        {total > 0 && (
          <ul className="flex gap-4 text-meta text-soft">
            <LegendItem color="var(--chart-1)" label="Answered" />
            <LegendItem color="var(--chart-2)" label="Not found" />
          </ul>
        )}
      </CardHead>
      {total === 0 ? (
        <div className="px-4 py-10 text-center">
          <p className="font-semibold">No questions yet</p>
          <p className="text-soft">The first ones appear here, answered and not found, day by day.</p>
        </div>
      ) : (
        <div className="p-4">
          <dl className="mb-4 flex flex-wrap gap-x-9 gap-y-2">
            <Figure value={formatCount(answered)} label="answered" />
            <Figure value={formatCount(notFound)} label="not found" />
            <Figure value={`${Math.round((100 * answered) / total)} %`} label="with a source" />
          </dl>
          <Bars days={days} />
        </div>
      )}
    </Card>
  )
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-meta text-soft">{label}</dt>
      <dd className="font-semibold text-title leading-8 tabular-nums">{value}</dd>
    </div>
  )
}

function LegendItem({ color, label }: { color: string; label: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span className="size-2.5 rounded-[3px]" style={{ background: color }} aria-hidden="true" />
      {label}
    </li>
  )
}

/** Two bars a day, the upper one for what was not found. Drawn by the server, and read as a table. */
function Bars({ days }: { days: QuestionDay[] }) {
  const maximum = niceMaximum(Math.max(...days.map((day) => day.answered + day.not_found)))
  const hiddenOnPhones = days.length - daysOnPhones
  return (
    <>
      <div aria-hidden="true" className="flex h-36 gap-2">
        <div className="flex w-8 shrink-0 flex-col justify-between pb-5 text-right text-[0.6875rem] text-soft tabular-nums leading-none">
          {[maximum, maximum / 2, 0].map((value) => (
            <span key={value}>{formatCount(value)}</span>
          ))}
        </div>
        <div className="relative min-w-0 flex-1 pb-5">
          <div className="absolute inset-x-0 top-[5px] bottom-[25px] flex flex-col justify-between">
            {[0, 1, 2].map((line) => (
              <span key={line} className="h-px bg-line" />
            ))}
          </div>
          <div className="absolute inset-x-0 top-[5px] bottom-[25px] flex items-end gap-[3px]">
            {days.map((day, index) => (
              <div
                key={day.day}
                title={`${formatDay(day.day)}: ${formatCount(day.answered)} answered, ${formatCount(day.not_found)} not found`}
                className={`flex h-full min-w-0 flex-1 flex-col justify-end gap-[2px] ${index < hiddenOnPhones ? 'max-sm:hidden' : ''}`}
              >
                <Bar count={day.not_found} maximum={maximum} color="var(--chart-2)" />
                <Bar count={day.answered} maximum={maximum} color="var(--chart-1)" />
              </div>
            ))}
          </div>
          <div className="absolute inset-x-0 bottom-0 flex justify-between text-[0.6875rem] text-soft leading-none">
            <span>
              <span className="max-sm:hidden">{formatDay(days[0]?.day ?? '')}</span>
              <span className="sm:hidden">{formatDay(days[hiddenOnPhones]?.day ?? '')}</span>
            </span>
            <span>{formatDay(days.at(-1)?.day ?? '')}</span>
          </div>
        </div>
      </div>
      <table className="sr-only">
        <caption>Questions of each day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Answered</th>
            <th scope="col">Not found</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, answered, not_found: notFound }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              <td>{formatCount(answered)}</td>
              <td>{formatCount(notFound)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Bar({ count, maximum, color }: { count: number; maximum: number; color: string }) {
  if (count === 0) return null
  return (
    <span
      className="block min-h-[2px] rounded-[2px]"
      style={{ height: `${(100 * count) / maximum}%`, background: color }}
    />
  )
}

function sumOf(days: QuestionDay[], key: 'answered' | 'not_found'): number {
  return days.reduce((sum, day) => sum + day[key], 0)
}

/** '25 Oct'. Days are in UTC, as the monthly meters are. */
function formatDay(day: string): string {
  if (day === '') return ''
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))
}
