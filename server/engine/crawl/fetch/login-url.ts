const loginPath =
  /(^|\/)(log[-_]?in|sign[-_]?in|logon|signon|sso|cas|saml2?|oauth2?|authorize|auth|adfs|wp-login\.php|login\.\w{2,5})(\/|$)/i

/** Parameters by which a login page knows where to go back to. */
const returning =
  /^(return\w*|redirect\w*|next|continue|goto|back|backurl|from|origin|dest|destination|target|url|ru|rd|r|service|relaystate|samlrequest|wctx|camefrom|callback\w*)$/i

/** Whether an address asks to sign in first and then to come back: its path names a login, a parameter the way back. */
export function asksToSignIn(address: string): boolean {
  const { pathname, searchParams } = new URL(address)
  return (
    loginPath.test(pathname) && [...searchParams.keys()].some((name) => returning.test(name.replaceAll(/[-_]/g, '')))
  )
}
