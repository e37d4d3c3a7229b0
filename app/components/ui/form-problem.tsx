import { Notice } from './notice'

/** Errors of the whole form. */
export function FormProblem({ errors }: { errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <div role="alert">
      <Notice kind="danger" title={errors.join(' ')} />
    </div>
  )
}
