import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('organizations')

export const loader = route
export const action = route
