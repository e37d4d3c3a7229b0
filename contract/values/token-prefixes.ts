/**
 * How the secrets of this product begin. They tell keys of agents apart from access tokens, and let scanners for leaked
 * secrets find them.
 */
export const tokenPrefixes = {
  /** Beginning of each of them. */
  any: 'sitelore_',
  publicKey: 'sitelore_public_',
  privateKey: 'sitelore_private_',
  accessToken: 'sitelore_token_',
} as const
