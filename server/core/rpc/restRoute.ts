import { type AnyProcedure, type AnyRouter, callTRPCProcedure, type inferProcedureOutput } from '@trpc/server'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { LimitKind, StorageKind } from '#server/core/config/config.ts'
import type { Context } from '#server/core/context.ts'
import type { FileRules } from '#server/core/http/multipartForm.ts'

/** Whom a procedure lets in. `adminProcedure` and its like say so in their metadata. */
export type Role = 'member' | 'moderator' | 'admin'

/** Fields of a row that only the documentation and the tests use. */
type Documentation = {
  /** one sentence that begins with a verb */
  summary: string
  /** media types of answers other than JSON, with their contents; the only answers without `answer` */
  sends?: Record<string, string>
  /** the role that the call needs, if the procedure does not require it itself */
  access?: Role
  /** statuses of this call only, with their reasons */
  statuses?: Record<number, string>
}

/** How a procedure is reached over HTTP. The procedure validates the input. */
export type RestRow<Result = never> = FileRules &
  Documentation & {
    /** by default GET for a query, and POST for a mutation */
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
    path: `/${string}`
    /** the answer without `success`; missing if there is nothing else */
    answer?: z.ZodObject
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
    /** makes the answer from the procedure's result, if `toAnswer` cannot */
    respond?: (result: Result) => object
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

export type RestRoute = Omit<RestRow, 'respond'> & {
  method: NonNullable<RestRow['method']>
  /** the input of the procedure; null if it takes none */
  input: z.ZodType | null
  call: (ctx: Context, input: unknown) => Promise<unknown>
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

const rowsOf = new WeakMap<AnyProcedure, RestRow[]>()

/** Makes a procedure a documented call: a route below `/api`, a part of the OpenAPI document and of the page `/api`. */
export function documented<Procedure extends AnyProcedure>(
  procedure: Procedure,
  ...rows: RestRow<inferProcedureOutput<Procedure>>[]
): Procedure {
  rowsOf.set(procedure, rows as RestRow[])
  return procedure
}

/** Picks the fields of the answer. A result that has none of them is the value of the only field. */
function toAnswer(answer: RestRow['answer'], result: unknown): object {
  const fields = Object(result)
  const names = Object.keys(answer?.shape ?? {})
  const given = names.filter((name) => name in fields)
  if (names.length === 1 && given.length === 0) return { [names[0] as string]: result }
  return answer ? Object.fromEntries(given.map((name) => [name, fields[name]])) : fields
}

/** Lists the routes of all documented calls of a router and the routers in it. */
export const listRestRoutes = (router: AnyRouter): RestRoute[] =>
  Object.entries(router._def.procedures as Record<string, AnyProcedure>).flatMap(([path, procedure]) =>
    (rowsOf.get(procedure) ?? []).map(({ respond, ...row }) => ({
      method: procedure._def.type === 'query' ? 'GET' : 'POST',
      access: (procedure._def.meta as { access?: Role } | undefined)?.access,
      ...row,
      input: (procedure._def.inputs[0] as z.ZodType | undefined) ?? null,
      call: async (ctx, input) => {
        const { type } = procedure._def
        const result = await callTRPCProcedure({
          router,
          path,
          type,
          ctx,
          getRawInput: async () => input,
          signal: undefined,
          batchIndex: 0,
        })
        if (respond) return respond(result as never)
        return row.send ? result : toAnswer(row.answer, result)
      },
    })),
  )
