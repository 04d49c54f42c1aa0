// Separate from the texts of bans, because pages with forms load this file.

export const APPEAL_PATH = '/appeal'
/** The documented call. The form of the appeal page sends to it. */
export const APPEAL_CALL = '/api/moderation/appeals'

export const appealUrl = (token: string) => `${APPEAL_PATH}?token=${encodeURIComponent(token)}`
