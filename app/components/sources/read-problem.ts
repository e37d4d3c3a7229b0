/** Reads a problem detail: its message, and the errors by field. `fallback` is the message of any other response. */
export async function readProblem(
  response: Response,
  fallback: string,
): Promise<{ message: string; errors?: Record<string, string[]> }> {
  const problem: unknown = await response.json().catch(() => null)
  if (typeof problem !== 'object' || problem === null || !('message' in problem)) return { message: fallback }
  const message = String(problem.message)
  if (!('errors' in problem) || typeof problem.errors !== 'object' || problem.errors === null) return { message }
  const errors = Object.entries(problem.errors).map(([name, texts]): [string, string[]] => [
    name,
    [texts].flat().map(String),
  ])
  return { message, errors: Object.fromEntries(errors) }
}
