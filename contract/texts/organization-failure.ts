/** The contract's banner for an organization that could not be created (specification, section 8). */
export const organizationFailure = {
  title: 'Oops, something went wrong!',
  message: 'Something went wrong, try again later!',
} as const
