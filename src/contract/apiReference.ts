/** The page of the API. */
export const API_PATH = '/api'

export type ApiField = {
  name: string
  /** as in TypeScript, with the names of described types */
  type: string
  isRequired: boolean
  /** may be empty */
  note: string
}

export type ApiCall = {
  id: string
  method: string
  path: string
  summary: string
  /** the role that the call needs; empty for none */
  access: string
  /** parameters by place: path, query, header, body */
  takes: { place: string; fields: ApiField[] }[]
  answers: ApiField[]
  /** media types of other answers, with their contents */
  sends: [type: string, content: string][]
  /** statuses of this call's refusals, with their reasons; without those of every call */
  statuses: [status: string, text: string][]
  example: string
}

/** A type that several calls share. A union has no `fields`; `type` lists its members. */
export type ApiType = { name: string; description: string; fields: ApiField[]; type: string }

export type ApiReference = { groups: { name: string; calls: ApiCall[] }[]; types: ApiType[] }
