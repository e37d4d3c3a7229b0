/**
 * oidc-provider prints a warning at its import on any Node older than 22. It works on 20.19, where every test of ours
 * runs, so the line would only worry whoever starts the product.
 */
const { warn } = console
console.warn = () => {}
const { errors, Provider } = await import('oidc-provider')
console.warn = warn

export { errors, Provider }
