/** There is no moderator role: each board lists the members who moderate it. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]
