// Separate from the texts of reports, because every thread page loads this file.

export const REPORT_PATH = '/report'
/** The documented call. The form of the report page sends to it. */
export const REPORT_CALL = '/api/moderation/reports'

export const reportUrl = (url: string) => `${REPORT_PATH}?url=${encodeURIComponent(url)}`
