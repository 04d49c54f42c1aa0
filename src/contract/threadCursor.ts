/** The last thread of a page of a board; the next page goes on behind it. */
export type ThreadCursor = { lastActivity: Date; id: number }

/** A cursor as an address carries it: `milliseconds-id`. */
export const formatCursor = ({ lastActivity, id }: ThreadCursor) => `${lastActivity.getTime()}-${id}`

/** Reads a cursor out of an address; null for what is none, and the list starts at the top. */
export function parseCursor(text: string | undefined): ThreadCursor | null {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '')
  if (!parts) return null
  const lastActivity = new Date(Number(parts[1]))
  return Number.isNaN(lastActivity.getTime()) || lastActivity.getUTCFullYear() > 9999
    ? null
    : { lastActivity, id: Number(parts[2]) }
}
