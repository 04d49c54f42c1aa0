import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number }
type Call = Node & { callee: { name?: string }; arguments: Node[] }
type Cut = { start: number; end: number; text: string }

const FRAMEWORK = /\/node_modules\/(?:vike|vike-react)\/dist\//
const CHECKS = ['assert', 'assertUsage']
const ADVICE = ['assertWarning', 'assertInfo']

/**
 * Leaves what the framework tells whoever writes pages out of what browsers load: they can neither cause nor mend it.
 * Every check stays, without its words; they are in development and on the server.
 */
export function quietAssertions(): Plugin {
  return {
    name: 'quiet-assertions',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    transform(code, id) {
      if (!FRAMEWORK.test(id)) return
      const cuts: Cut[] = []
      visit(this.parse(code), (call) => {
        const [condition, ...words] = call.arguments
        const last = words.at(-1)
        const name = call.callee.name ?? ''
        if (ADVICE.includes(name)) cuts.push({ start: call.start, end: call.end, text: 'void 0' })
        else if (CHECKS.includes(name) && condition && last)
          cuts.push({ start: condition.end, end: last.end, text: '' })
      })
      return cuts.length > 0 ? { code: without(code, cuts), map: null } : undefined
    },
  }
}

function without(code: string, cuts: Cut[]): string {
  let rest = ''
  let at = 0
  for (const { start, end, text } of cuts.sort((one, other) => one.start - other.start)) {
    // one inside another is gone already
    if (start < at) continue
    rest += code.slice(at, start) + text
    at = end
  }
  return rest + code.slice(at)
}

function visit(node: unknown, see: (call: Call) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ((node as Partial<Node>).type === 'CallExpression') see(node as Call)
  for (const part of Object.values(node)) visit(part, see)
}
