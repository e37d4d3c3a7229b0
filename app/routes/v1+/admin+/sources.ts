import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('sources')

export const loader = route
export const action = route
