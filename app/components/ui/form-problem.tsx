import { Notice } from './notice'

/** What is wrong with a form as a whole. */
export function FormProblem({ errors }: { errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <div role="alert">
      <Notice kind="danger" title={errors.join(' ')} />
    </div>
  )
}
