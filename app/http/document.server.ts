/** A redirect that leaves the pages of the app: the browser follows it as a whole page, not the router within one. */
export function document(redirect: Response): Response {
  redirect.headers.set('X-Remix-Reload-Document', 'true')
  return redirect
}
