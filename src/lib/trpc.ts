import type { TextKey } from '#src/i18n/types.ts'

/** Loads the tRPC client on the first call, so that the client does not delay hydration. */
export const trpc = async () => (await import('./client.ts')).client

/** An error from the server, not a network error. */
type Refused = { message: string; data: { code: string; refusal: TextKey | null; field: string | null } }

/** Checks the error's name, because its class is loaded later, with the client. */
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && error.name === 'TRPCClientError' && Boolean((error as Partial<Refused>).data)

/** Returns the server's error message, or the fallback if the server did not respond. */
export const errorText = (error: unknown, fallback: string): string => (isRefused(error) ? error.message : fallback)

/** Returns the server's error code, such as 'NOT_FOUND', or null if the server did not respond. */
export const errorCode = (error: unknown): string | null => (isRefused(error) ? error.data.code : null)

/** Returns the key of the refusal's text, such as 'auth.codeWrong', or null if the server did not respond. */
export const refusalCode = (error: unknown): TextKey | null => (isRefused(error) ? error.data.refusal : null)

/** Returns the name of the field that the server refused, or null. */
export const refusedField = (error: unknown): string | null => (isRefused(error) ? error.data.field : null)

export const isUnauthorized = (error: unknown) => errorCode(error) === 'UNAUTHORIZED'
