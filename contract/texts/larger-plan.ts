/** The command with which an operator gives an organization a larger plan. */
export function largerPlanCommand(organizationId: string): string {
  return `sitelore plans assign <plan> --organization ${organizationId}`
}
