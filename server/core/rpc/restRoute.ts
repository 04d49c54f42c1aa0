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
  /** page with the call's form, for browsers without script; other clients get JSON */
  formPage?: FormPage
  /** sends a response other than JSON, or returns null for JSON; `isRaw` is true if `bytesField` came as bytes */
  send?: (reply: FastifyReply, result: never, isRaw: boolean) => FastifyReply | null
  call: (api: Api, input: never) => Promise<unknown>
}

/** The page of a form. If the call refuses the form, a browser gets this page with the error and the sent fields. */
export type FormPage = {
  /** converts what a visitor typed, like the script of the page */
  convert?: (fields: Record<string, unknown>) => Record<string, unknown>
  /** URL of the page */
  path: string | ((fields: never) => string)
  /** URL that a browser is redirected to on success; without it, the form's page is rendered with the result */
  next?: (result: never, fields: never) => string
}

export type RestRoute = Omit<RestRow<never>, 'call'> & { call: (ctx: Context, input: never) => Promise<unknown> }

export const createRestRoutes = <Api>(createCaller: (ctx: Context) => Api, rows: RestRow<Api>[]): RestRoute[] =>
  rows.map((row) => ({ ...row, call: (ctx, input) => row.call(createCaller(ctx), input) }))
