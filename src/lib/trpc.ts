/** Loads the tRPC client. The first call loads it, so that it does not delay hydration. */
export const trpc = async () => (await import('./client.ts')).client

/** An error that the server sent. Network errors are not of this type. */
type Refused = { message: string; data: { code: string } }

/** Checks the name, because the class is loaded later, with the client. */
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && error.name === 'TRPCClientError' && Boolean((error as Partial<Refused>).data)

/** Returns the server's text for a failed call, or the fallback if there is none. */
export const errorText = (error: unknown, fallback: string): string => (isRefused(error) ? error.message : fallback)

/** Returns the server's error code, such as 'NOT_FOUND'; null without a response. */
export const errorCode = (error: unknown): string | null => (isRefused(error) ? error.data.code : null)

export const isUnauthorized = (error: unknown) => errorCode(error) === 'UNAUTHORIZED'
