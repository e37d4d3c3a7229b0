/** oidc-provider prints a warning on Node older than 22. It works on 20.19, with which all of our tests run. */
const { warn } = console
console.warn = () => {}
const { errors, Provider } = await import('oidc-provider')
console.warn = warn

export { errors, Provider }
