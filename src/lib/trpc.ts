/** Loads the tRPC client. The first call loads it, so that it does not delay hydration. */
export const trpc = async () => (await import('./client.ts')).client

/** An error with a response of the server; network errors have none. */
type Refused = { message: string; data: { code: string } }

/** Checks the name instead of the class, which is loaded with the client. */
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && error.name === 'TRPCClientError' && Boolean((error as Partial<Refused>).data)

/** Returns the server's text for a failed call, or the fallback if there is none. */
export const errorText = (error: unknown, fallback: string): string => (isRefused(error) ? error.message : fallback)

/** Returns the server's error code, such as 'NOT_FOUND'; null without a response. */
export const errorCode = (error: unknown): string | null => (isRefused(error) ? error.data.code : null)

export const isUnauthorized = (error: unknown) => errorCode(error) === 'UNAUTHORIZED'
