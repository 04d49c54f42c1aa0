import type { AnyRouter } from '@trpc/server'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import type { FileRules } from '#server/core/http/multipartForm.ts'
import type { LimitKind, StorageKind } from '#src/contract/limits.ts'
import { createCallerFactory } from './procedures.ts'

/** Fields of a row that only the documentation and the tests use. */
type Documentation = {
  /** one sentence that begins with a verb */
  summary: string
  /** the answer without `success`; null if there is nothing else */
  answer: z.ZodObject | null
  /** media types of answers other than JSON, with their contents; the only answers if `answer` is null */
  sends?: Record<string, string>
  /** the role that the call needs; none if missing */
  access?: 'member' | 'moderator' | 'admin'
  /** statuses of this call only, with their reasons */
  statuses?: Record<number, string>
}

/** A documented call: an HTTP route and the tRPC procedure that handles it. The procedure validates the input. */
export type RestRow<Api> = FileRules &
  Documentation & {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE'
    path: `/${string}`
    /** fields that a call with a body also reads from the query; a call with `bytesField` reads all others */
    queryFields?: string[]
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

export type RestRoute = Omit<RestRow<never>, 'call'> & {
  /** the input of the procedure; null if it takes none */
  input: z.ZodType | null
  call: (ctx: Context, input: never) => Promise<unknown>
}

/** Returns whether the query may contain a field. Calls with a body read secrets from it alone: proxies log URLs. */
export const isQueryField = (
  { method, bytesField, queryFields = [] }: Pick<RestRoute, 'method' | 'bytesField' | 'queryFields'>,
  name: string,
): boolean =>
  method === 'GET' ||
  method === 'DELETE' ||
  queryFields.includes(name) ||
  (bytesField !== undefined && bytesField.name !== name)

/** The procedures of a router as functions. */
export type CallerOf<Router extends AnyRouter> = ReturnType<
  ReturnType<typeof createCallerFactory<Router['_def']['record']>>
>

export function createRestRoutes<Router extends AnyRouter>(
  router: Router,
  rows: RestRow<CallerOf<Router>>[],
): RestRoute[] {
  const createCaller = createCallerFactory(router)
  return rows.map((row) => ({
    ...row,
    input: router._def.procedures[findProcedureName(row)]._def.inputs[0] ?? null,
    call: (ctx, input) => row.call(createCaller(ctx) as CallerOf<Router>, input),
  }))
}

/** Returns the name of the procedure that the row calls. */
function findProcedureName({ call }: Pick<RestRow<never>, 'call'>): string {
  let name = ''
  const recorder = new Proxy(
    {},
    {
      get: (_target, property) => () => {
        name = String(property)
        return new Promise(() => {})
      },
    },
  )
  void call(recorder as never, {} as never)
  return name
}
