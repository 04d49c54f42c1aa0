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
  /** who may make the call; empty for everybody */
  access: string
  /** what the call takes, by place: path, query, header, body */
  takes: { place: string; fields: ApiField[] }[]
  answers: ApiField[]
  /** media types of other answers, and what they contain */
  sends: [type: string, content: string][]
  /** statuses of refusals that not every call has, and when they occur */
  statuses: [status: string, text: string][]
  example: string
}

/** A type that several calls share. `fields` is empty for a choice between others, which `type` then shows. */
export type ApiType = { name: string; description: string; fields: ApiField[]; type: string }

export type ApiReference = { groups: { name: string; calls: ApiCall[] }[]; types: ApiType[] }
