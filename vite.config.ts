import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import vike from 'vike/plugin'
import { defineConfig } from 'vite'
import { quietAssertions } from './build/assertions.ts'
import { shortClassNames } from './build/classNames.ts'
import { groups } from './build/groups.ts'
import { icons } from './build/icons.ts'
import { presets } from './build/presets.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig(({ command }) => ({
  plugins: [react(), vike(), icons(root), presets(), quietAssertions()],
  // found only when the radio first plays, it would make the development server reload the page
  optimizeDeps: { include: ['butterchurn'] },
  css: command === 'build' ? { modules: { generateScopedName: shortClassNames(root, ['src', 'pages']) } } : {},
  build: {
    // these know light-dark(): lowered to variables, it would be settled once at the root and
    // the always-dark console would follow the page's theme
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
}))
