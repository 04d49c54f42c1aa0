// Writes the types of the router without server code: each procedure with its input and output, spelled out. A bundler of
// declarations would keep the types from which they are inferred: database, validation, every service.
import { join } from 'node:path'
import { API, SymbolFlags } from 'typescript/unstable/sync'

/** Types that a client cannot send: typed calls are JSON. */
const FILES = ['UploadedFile', 'Uint8Array']
/** Global types, which need no declaration. */
const GLOBALS = ['ArrayBuffer', 'Date', 'Uint8Array']
const HEADER = `import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server'
`

/**
 * @param {string} root
 * @param {string} file exports the type \`SiteRouter\`, and other types to export
 * @returns {string}
 */
export function generateRouterTypes(root, file) {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    return writeTypes(project, file)
  } finally {
    api.close()
  }
}

function writeTypes({ checker, program }, file) {
  const exported = new Map(listTypes(checker, program, file))
  const router = exported.get('SiteRouter')
  exported.delete('SiteRouter')
  // Other exported types of the contract get their names, too.
  const contract = program.getSourceFileNames().filter((name) => name.includes('/src/contract/'))
  const names = new Map(
    contract.flatMap((name) => listTypes(checker, program, name)).map(([name, { id }]) => [id, name]),
  )
  for (const [name, { id }] of exported) names.set(id, name)
  const printer = createPrinter(checker, names)
  const definition = propertyType(checker, router, '_def')
  const record = printRecord(checker, printer, propertyType(checker, definition, 'record'), '')
  const rootTypes = propertyType(checker, propertyType(checker, definition, '_config'), '$types')
  const error = printer.print(propertyType(checker, rootTypes, 'errorShape'))
  for (const type of exported.values()) printer.print(type)
  return [
    HEADER,
    `type Root = { ctx: object; meta: object; errorShape: ${error}; transformer: true }\n`,
    `export type SiteRouter = TRPCBuiltRouter<Root, ${record}>\n`,
    ...printer.declarations(),
  ].join('\n')
}

/** Returns the exported types of a file that keep their names. */
function listTypes(checker, program, file) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  return (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => [symbol.name, symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol])
    .filter(([, { flags }]) => flags & SymbolFlags.TypeAlias)
    .map(([name, symbol]) => [name, checker.getDeclaredTypeOfSymbol(symbol)])
    .filter(
      ([name, type]) => name === 'SiteRouter' || type.isObjectType() || type.isIntersectionType() || type.isUnionType(),
    )
}

const propertyType = (checker, type, name) => checker.getTypeOfSymbol(checker.getPropertyOfType(type, name))

/** Prints a router's procedures, and those of its routers. Leaves out procedures that need a file. */
function printRecord(checker, printer, record, indent) {
  const inner = `${indent}  `
  const lines = checker.getPropertiesOfType(record).flatMap((symbol) => {
    const type = checker.getTypeOfSymbol(symbol)
    if (!checker.getPropertyOfType(type, '_def')) {
      return `${inner}${symbol.name}: ${printRecord(checker, printer, type, inner)}`
    }
    const definition = propertyType(checker, type, '_def')
    const types = propertyType(checker, definition, '$types')
    const input = propertyType(checker, types, 'input')
    if (needsFile(checker, input)) return []
    const kind = propertyType(checker, definition, 'type').value
    const output = printer.print(propertyType(checker, types, 'output'))
    const name = `TRPC${kind[0].toUpperCase()}${kind.slice(1)}Procedure`
    return `${inner}${symbol.name}: ${name}<{ input: ${printer.print(input)}; output: ${output}; meta: object }>`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const isFile = (type) => FILES.includes(type.getSymbol()?.name)
const needsFile = (checker, input) =>
  input.isObjectType() && checker.getPropertiesOfType(input).some((symbol) => isFile(checker.getTypeOfSymbol(symbol)))

/** @param {Map<number, string>} names names of types by their ids */
function createPrinter(checker, names) {
  const texts = new Map()
  const owners = new Map()

  function print(type) {
    const name = names.get(type.id)
    if (name === undefined || (owners.get(name) ?? type.id) !== type.id) return spell(type)
    if (!owners.has(name)) {
      owners.set(name, type.id)
      texts.set(name, spell(type))
    }
    return name
  }

  function spell(type) {
    if (type.isUnionType()) return printUnion(type)
    if (!type.isObjectType() && !type.isIntersectionType()) return checker.typeToString(type)
    if (checker.isTupleType(type)) return `[${checker.getTypeArguments(type).map(print).join(', ')}]`
    if (checker.isArrayType(type)) {
      const element = print(checker.getTypeArguments(type)[0])
      return /[|&]/.test(element) ? `(${element})[]` : `${element}[]`
    }
    const symbol = type.getSymbol()?.name ?? ''
    if (GLOBALS.includes(symbol)) return symbol
    if (symbol === 'Buffer') return 'Uint8Array'
    if (/^Async(?:Iterable|Generator)/.test(symbol)) return `AsyncIterable<${print(checker.getTypeArguments(type)[0])}>`
    return printObject(type)
  }

  /** Leaves out files: a field that can also be text, or that is optional, can be sent without. */
  function printUnion(type) {
    const parts = type
      .getTypes()
      .filter((part) => !isFile(part))
      .map(print)
    const isBoolean = parts.includes('true') && parts.includes('false')
    const others = isBoolean ? [...parts.filter((part) => part !== 'true' && part !== 'false'), 'boolean'] : parts
    return [...new Set(others)].join(' | ')
  }

  function printObject(type) {
    const fields = checker.getPropertiesOfType(type).map((symbol) => {
      const key = /^[\w$]+$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name)
      const note = symbol.getDocumentationComment(checker).replaceAll(/\s+/g, ' ').trim()
      const text = print(checker.getTypeOfSymbol(symbol))
      return `${note && `/** ${note} */ `}${key}${symbol.flags & SymbolFlags.Optional ? '?' : ''}: ${text}`
    })
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, valueType }) => `[key: ${print(keyType)}]: ${print(valueType)}`)
    return fields.length + indexes.length === 0 ? '{}' : `{ ${[...fields, ...indexes].join('; ')} }`
  }

  const declarations = () => [...texts].map(([name, text]) => `export type ${name} = ${text}\n`)
  return { print, declarations }
}
