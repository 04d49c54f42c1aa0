import type { FastifyReply } from 'fastify'
import type { Context } from '#server/core/context.ts'
import type { FileRules } from '#server/core/http/multipartForm.ts'
import type { LimitKind, StorageKind } from '#src/contract/limits.ts'

/** A documented call: an HTTP route and the tRPC procedure that handles it. The procedure validates the input. */
export type RestRow<Api> = FileRules & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  /** fields that the server parses as numbers if a query or form sends them as text */
  numbers?: string[]
  /** fields that the server parses as booleans if a query or form sends them as text */
  flags?: string[]
  /** headers that set a field: field name → header name in lower case */
  headers?: Record<string, string>
  /** the procedure's rate limit and storage quota, checked before the server reads a large body */
  limits?: { rate: LimitKind; storage: StorageKind }
  /** maximum size of the body in bytes, if it differs from the default */
  bodyBytes?: number
  /** page with the call's form: browsers without script get it with the result, other clients get JSON */
  formPage?: string
  /** sends a response other than JSON, or returns null for JSON; `isRaw` is true if `bytesField` came as bytes */
  send?: (reply: FastifyReply, result: never, isRaw: boolean) => FastifyReply | null
  call: (api: Api, input: never) => Promise<unknown>
}

export type RestRoute = Omit<RestRow<never>, 'call'> & { call: (ctx: Context, input: never) => Promise<unknown> }

export const createRestRoutes = <Api>(createCaller: (ctx: Context) => Api, rows: RestRow<Api>[]): RestRoute[] =>
  rows.map((row) => ({ ...row, call: (ctx, input) => row.call(createCaller(ctx), input) }))
