import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('agents')

export const loader = route
export const action = route
