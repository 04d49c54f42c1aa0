import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import vike from 'vike/plugin'
import { defineConfig } from 'vite'
import { groups } from './build/groups.ts'
import { presets } from './build/presets.ts'
import { texts } from './build/texts.ts'
import { contracts, vikeStatements } from './build/unusedCode.ts'

/** Vite's names also have the line, which would add 1 % to the first visit's script and to a thread's HTML. */
function scopeClassName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file.split('?')[0] ?? file)
  return `${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`
}

export default defineConfig({
  css: { modules: { generateScopedName: scopeClassName } },
  plugins: [react(), vike(), presets(), texts(), contracts(), vikeStatements()],
  // Found only when the radio first plays, it would make the development server reload the page.
  optimizeDeps: { include: ['butterchurn'] },
  build: {
    // These browsers know light-dark(). Lowered to variables, it would be evaluated once at the root, and the
    // always-dark console would follow the page's theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
