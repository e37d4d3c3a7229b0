/** The build of the library for Node, which its package does not name as its entry. */
declare module 'pptxtojson/dist/index.cjs' {
  export { parse } from 'pptxtojson'
}
