import type { FastifyReply } from 'fastify'
import type { LimitKind, StorageKind } from '#src/contract/limits.ts'
import type { BytesField, OtherFiles } from './core/parts.ts'
import type { Caller } from './router.ts'

/**
 * One documented call: its address and the procedure behind it. `input` is never looked at here (the
 * procedure's contract does that), hence its type.
 */
export type RestRow = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  /** fields that are numbers, which in a query and in a form are text */
  numbers?: string[]
  /** fields that are true or false, likewise */
  flags?: string[]
  /** what becomes of a file that is not declared an image: passed over, unless it is to be refused by the procedure */
  otherFiles?: OtherFiles
  /** a body that is neither JSON nor a form becomes this field, as its bytes, and so does a file of that name in a form */
  raw?: BytesField
  /** what the procedure counts and stores: a large body is refused before it is read where nothing is left of it */
  counts?: { limit: LimitKind; stores: StorageKind }
  /** most bytes of a body, where it is another number than everywhere */
  bodyBytes?: number
  /** sends another answer than JSON, or returns null for the usual one; `raw`: the `raw` field came as bytes */
  send?: (reply: FastifyReply, answer: never, raw: boolean) => FastifyReply | null
  call: (api: Caller, input: never) => Promise<unknown>
}
