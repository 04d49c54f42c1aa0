import { getSystemErrorMap } from 'node:util'

const MAX_DEPTH = 5

type ErrorFields = { code?: unknown; severity?: unknown; cause?: unknown }

/** Returns an error and all errors that it wraps. Drizzle wraps the driver's errors. */
export function errorChain(error: unknown): ErrorFields[] {
  const chain: ErrorFields[] = []
  let current = error
  while (current && typeof current === 'object' && chain.length < MAX_DEPTH) {
    chain.push(current)
    current = (current as ErrorFields).cause
  }
  return chain
}

export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  errorChain(error).some(({ code }) => codes.includes(String(code)))

/** Returns the operating system's text for an error, without the name of the system call. */
export function systemErrorText(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException
  const [, text] = getSystemErrorMap().get(errno ?? 0) ?? []
  return text ?? message
}
