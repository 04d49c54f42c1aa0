import react from '@vitejs/plugin-react'
import vike from 'vike/plugin'
import { defineConfig } from 'vite'
import { presets } from './build/presets.ts'

export default defineConfig({
  plugins: [react(), vike(), presets()],
  // found only when the radio first plays, it would make the development server reload the page
  optimizeDeps: { include: ['butterchurn'] },
  build: {
    // these know light-dark(): lowered to variables, it would be settled once at the root and
    // the always-dark console would follow the page's theme
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      // one stylesheet for the site: otherwise each component's few rules are a request that holds the page back
      output: { codeSplitting: { groups: [{ name: 'site', test: /\.css$/ }] } },
    },
  },
})
