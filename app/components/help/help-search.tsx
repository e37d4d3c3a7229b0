import { paths } from '../../paths'
import { controlClasses } from '../ui/forms/field'

export function HelpSearch({ query }: { query: string }) {
  return (
    <search>
      <form action={paths.help()}>
        <input
          type="search"
          name="q"
          defaultValue={query}
          required
          aria-label="Search the manual"
          placeholder="Search the manual"
          className={controlClasses}
        />
      </form>
    </search>
  )
}
