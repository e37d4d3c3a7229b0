import { organizationRoles, roleLabels } from '../../../contract/values/enumerations'

export const roleOptions = organizationRoles.map((value) => ({ value, label: roleLabels[value] }))

export const roleHint =
  'Viewers read, search and chat. Members also add and change content. Administrators also manage agents, members and the organization.'
