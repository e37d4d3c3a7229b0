import type { Removal } from '../../../server/services/organizations/removals'

export function removalText({ organization, by }: Pick<Removal, 'organization' | 'by'>): string {
  return `${by ?? "This server's operator"} removed you from ${organization}. What you created there stays.`
}
