/** What a problem detail tells a form: a sentence, and what is wrong by field. */
export async function problemOf(
  response: Response,
  unforeseen: string,
): Promise<{ message: string; errors?: Record<string, string[]> }> {
  const problem: unknown = await response.json().catch(() => null)
  if (typeof problem !== 'object' || problem === null || !('message' in problem)) return { message: unforeseen }
  const message = String(problem.message)
  if (!('errors' in problem) || typeof problem.errors !== 'object' || problem.errors === null) return { message }
  const errors = Object.entries(problem.errors).map(([name, texts]): [string, string[]] => [
    name,
    [texts].flat().map(String),
  ])
  return { message, errors: Object.fromEntries(errors) }
}
