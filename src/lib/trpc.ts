/** The site's own calls. Their code is fetched with the first of them: a page is alive, and read, without it. */
export const trpc = async () => (await import('./client.ts')).client

/** What a failed call says; a failure that is none of a call's, such as a network's, says nothing. */
type Refused = { message: string; data: { code: string } }

/** Told by its name, for the class of such an error is fetched no sooner than it is thrown. */
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && error.name === 'TRPCClientError' && Boolean((error as Partial<Refused>).data)

/** The server's own text of a failed call, or the fallback when it said nothing. */
export const errorText = (error: unknown, fallback: string): string => (isRefused(error) ? error.message : fallback)

/** Why the server refused, such as 'NOT_FOUND'; null when it said nothing. */
export const errorCode = (error: unknown): string | null => (isRefused(error) ? error.data.code : null)

/** Whether the call was refused because the token is missing or worth nothing. */
export const isUnauthorized = (error: unknown) => errorCode(error) === 'UNAUTHORIZED'
