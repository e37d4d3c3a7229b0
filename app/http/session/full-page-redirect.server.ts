/** Makes the browser follow a redirect with a full page load instead of the router: it leaves the pages of the app. */
export function fullPageRedirect(redirect: Response): Response {
  redirect.headers.set('X-Remix-Reload-Document', 'true')
  return redirect
}
