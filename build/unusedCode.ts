import { type ESTree, type Plugin, Visitor } from 'vite'

/**
 * Lets browsers load the constants of a contract without its schemas: marks all values that a contract computes as
 * removable if nothing uses them. A bundler cannot see that the calls of zod have no side effects.
 */
export function contracts(): Plugin {
  return {
    name: 'contracts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/src\/contract\/\w+\.ts$/, code: 'zod' },
      handler(code) {
        let marked = code
        // From the end, so that the positions stay valid.
        for (const statement of this.parse(code).body.reverse()) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declaration?.type !== 'VariableDeclaration') continue
          for (const { init } of declaration.declarations.reverse()) {
            const value = init ? code.slice(init.start, init.end) : ''
            if (!init || init.type === 'ArrowFunctionExpression' || !value.includes('(')) continue
            marked = `${marked.slice(0, init.start)}/* @__PURE__ */ (() => (${value}))()${marked.slice(init.end)}`
          }
        }
        return { code: marked, map: null }
      },
    },
  }
}

/**
 * Calls that browsers do not need: Vike's assertions, which report mistakes in page code or in Vike, and its listeners of
 * links, which `pages/+onBeforeRenderClient.ts` replaces.
 */
const LEFT_OUT = /^(?:assert(?:[A-Z_]\w*)?|catchInfiniteLoop|logAbort|(?:init|add)LinkPrefetchHandlers(?:_\w+)?)$/

/** Leaves these calls out of Vike's scripts for browsers, with their arguments. Calls whose result is used stay. */
export function vikeStatements(): Plugin {
  return {
    name: 'vike-statements',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/node_modules\/vike\/dist\/.+\.js$/ },
      handler(code) {
        const calls: ESTree.Span[] = []
        new Visitor({
          ExpressionStatement({ expression, start, end }) {
            if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') return
            if (LEFT_OUT.test(expression.callee.name)) calls.push({ start, end })
          },
        }).visit(this.parse(code))
        // From the end, so that the positions stay valid.
        const shortened = calls.reduceRight(
          (text, { start, end }) => `${text.slice(0, start)};${text.slice(end)}`,
          code,
        )
        return { code: shortened, map: null }
      },
    },
  }
}
