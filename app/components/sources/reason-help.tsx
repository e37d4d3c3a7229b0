import { paths } from '../../paths'

/** Links to what the manual says about a reason. */
export function ReasonHelp({ reason }: { reason: string }) {
  return (
    <a
      href={paths.reasonHelp(reason)}
      target="_blank"
      rel="noopener"
      className="whitespace-nowrap text-accent-strong hover:underline"
    >
      What can I do?
    </a>
  )
}
