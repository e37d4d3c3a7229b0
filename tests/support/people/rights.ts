/** What the pages let each role do. */
export const rights = {
  viewer: { collection: false, source: false, agent: false, editAgent: false, settings: false, members: false },
  member: { collection: true, source: true, agent: true, editAgent: false, settings: false, members: false },
  admin: { collection: true, source: true, agent: true, editAgent: true, settings: true, members: true },
}
