export const MAX_LISTENER_HOURS = 7 * 24
