import { adminListRoute } from '../../../http/api/admin.server'

const route = adminListRoute('urls')

export const loader = route
export const action = route
