/** Loads the tRPC client on the first call, so that the client does not delay hydration. */
export const trpc = async () => (await import('./client.ts')).client

/** An error from the server, not a network error. */
type Refused = { message: string; data: { code: string } }

/** Checks the error's name, because its class is loaded later, with the client. */
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && error.name === 'TRPCClientError' && Boolean((error as Partial<Refused>).data)

/** Returns the server's error message, or the fallback if the server did not respond. */
export const errorText = (error: unknown, fallback: string): string => (isRefused(error) ? error.message : fallback)

/** Returns the server's error code, such as 'NOT_FOUND', or null if the server did not respond. */
export const errorCode = (error: unknown): string | null => (isRefused(error) ? error.data.code : null)

export const isUnauthorized = (error: unknown) => errorCode(error) === 'UNAUTHORIZED'
