import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('collections')

export const loader = route
export const action = route
