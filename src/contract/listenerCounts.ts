export const MAX_LISTENER_HOURS = 7 * 24

export const listenerMessages = {
  hours: `The hours must be a number from 1 to ${MAX_LISTENER_HOURS}`,
  forbidden: 'Only streamers and admins see how many listen',
} as const
