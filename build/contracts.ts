import type { Plugin } from 'vite'

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
