import { serveApi } from '../http/operations/router.server'

export const loader = serveApi
export const action = serveApi
