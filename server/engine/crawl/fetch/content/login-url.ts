const loginPath =
  /(^|\/)(log[-_]?in|sign[-_]?in|logon|signon|sso|cas|saml2?|oauth2?|authorize|auth|adfs|wp-login\.php|login\.\w{2,5})(\/|$)/i

/** Parameters that hold the URL to return to. */
const returnParameter =
  /^(return\w*|redirect\w*|next|continue|goto|back|backurl|from|origin|dest|destination|target|url|ru|rd|r|service|relaystate|samlrequest|wctx|camefrom|callback\w*)$/i

/** Whether a URL is a login that returns to another page: its path names a login and a parameter the way back. */
export function isLoginUrl(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  const names = [...searchParams.keys()].map((name) => name.replaceAll(/[-_]/g, ''))
  return loginPath.test(pathname) && names.some((name) => returnParameter.test(name))
}
