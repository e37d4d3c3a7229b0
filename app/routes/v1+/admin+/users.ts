import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('users')

export const loader = route
export const action = route
