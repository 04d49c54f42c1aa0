/** Identifies the last thread of a board page. The next page starts after this thread. */
export type ThreadCursor = { lastActivity: Date; id: number }

export const formatCursor = ({ lastActivity, id }: ThreadCursor) => `${lastActivity.getTime()}-${id}`

export function parseCursor(text: string | undefined): ThreadCursor | null {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '')
  if (!parts) return null
  const lastActivity = new Date(Number(parts[1]))
  return Number.isNaN(lastActivity.getTime()) || lastActivity.getUTCFullYear() > 9999
    ? null
    : { lastActivity, id: Number(parts[2]) }
}
