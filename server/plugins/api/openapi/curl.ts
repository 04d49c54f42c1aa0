import { isFileField } from './jsonSchema.ts'
import type { Operation } from './operation.ts'

/** Returns a command that makes the call. Words in capitals are placeholders. */
export function createCurl(method: string, path: string, operation: Operation, siteUrl: string): string {
  const { parameters, requestBody, security } = operation
  const url = `${siteUrl}${fillPath(path, operation)}${createQuery(parameters)}`
  const json = requestBody?.content['application/json']
  const form = requestBody?.content['multipart/form-data']
  const example = (json ?? form)?.example as Record<string, unknown> | undefined
  const files = Object.entries(form?.schema?.properties ?? {}).filter(([, schema]) => isFileField(schema))
  const isForm = files.length > 0
  return [
    `curl ${method === 'GET' || (method === 'POST' && (isForm || (example && json))) ? '' : `-X ${method} `}${quote(url)}`,
    ...(security ? ["-H 'Authorization: Bearer TOKEN'"] : []),
    ...(isForm
      ? [
          ...Object.entries((form?.example ?? {}) as object).map(([name, value]) => `-F ${quote(`${name}=${value}`)}`),
          ...files.map(([name]) => `-F ${name}=@FILE`),
        ]
      : example
        ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(example))}`]
        : []),
  ].join(' \\\n  ')
}

const fillPath = (path: string, { parameters }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? capitals(name)),
  )

function createQuery(parameters: Operation['parameters']): string {
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }) => `${name}=${example ?? capitals(name)}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** Writes `pasteId` as PASTE_ID. */
const capitals = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

const quote = (text: string) => (/^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
