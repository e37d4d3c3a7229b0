import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('threads')

export const loader = route
export const action = route
