import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Has the icons of lucide-react made by a component of ours, with all its drawings and none of its options. */
export function icons(root: string): Plugin {
  return {
    name: 'icons',
    apply: 'build',
    enforce: 'pre',
    config: () => ({ ssr: { noExternal: ['lucide-react'] } }),
    resolveId(id, importer) {
      const isIcon = importer?.includes('/lucide-react/dist/esm/icons/') && id.endsWith('/createLucideIcon.mjs')
      return isIcon ? join(root, 'src/ui/drawn.ts') : undefined
    },
  }
}
