import { Notice } from '../feedback/notice'

/** Errors that belong to no single field. */
export function FormProblem({ errors }: { errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <div role="alert">
      <Notice kind="danger" title={errors.join(' ')} />
    </div>
  )
}
