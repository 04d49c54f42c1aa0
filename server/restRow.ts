import type { Caller } from './router.ts'

/**
 * One documented call: its address and the procedure behind it. `input` is never looked at here (the
 * procedure's contract does that), hence its type.
 */
export type RestRow = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  call: (api: Caller, input: never) => Promise<unknown>
}
