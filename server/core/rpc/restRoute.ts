import type { FastifyReply } from 'fastify'
import type { Context } from '#server/core/context.ts'
import type { FileRules } from '#server/core/http/multipartForm.ts'
import type { LimitKind, StorageKind } from '#src/contract/limits.ts'

/** One documented call: an HTTP route and the tRPC procedure that handles it. The procedure validates the input. */
export type RestRow<Api> = FileRules & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  /** fields to parse as numbers when they arrive as text, in a query or a form */
  numbers?: string[]
  /** fields to parse as booleans when they arrive as text */
  flags?: string[]
  /** rate limit and storage quota of the procedure, checked before a large body is read */
  limits?: { rate: LimitKind; storage: StorageKind }
  /** maximum size of the body in bytes, if it differs from the default */
  bodyBytes?: number
  /** sends a response other than JSON, or returns null for JSON; `isRaw` if `bytesField` came as bytes */
  send?: (reply: FastifyReply, result: never, isRaw: boolean) => FastifyReply | null
  call: (api: Api, input: never) => Promise<unknown>
}

export type RestRoute = Omit<RestRow<never>, 'call'> & { call: (ctx: Context, input: never) => Promise<unknown> }

export const createRestRoutes = <Api>(createCaller: (ctx: Context) => Api, rows: RestRow<Api>[]): RestRoute[] =>
  rows.map((row) => ({ ...row, call: (ctx, input) => row.call(createCaller(ctx), input) }))
