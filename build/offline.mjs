import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'

const STYLES = ['tokens.css', 'waves.css', 'offline.css']
const PAGE = 'server/features/site/offlinePage.ts'
const TEXTS = 'src/i18n'

/**
 * Writes the stylesheet of the offline page, and puts the version of the page and its styles into the service worker that
 * caches them.
 * @param {string} root
 * @param {string} clientDir
 */
export function buildOfflinePage(root, clientDir) {
  const styles = STYLES.map((name) => readFileSync(join(root, 'src/styles', name), 'utf8')).join('\n')
  // The page uses the system's fonts, so that the worker caches no fonts.
  const withoutFonts = styles.replaceAll(/@font-face\s*\{[^}]*url\([^}]*\}/g, '')
  const css = transformSync(withoutFonts, { loader: 'css', minify: true }).code
  writeFileSync(join(clientDir, 'offline.css'), css)
  const languages = readdirSync(join(root, TEXTS), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const texts = languages.flatMap(({ name }) => ['site.ts', 'ui.ts'].map((part) => join(TEXTS, name, part)))
  const sources = [PAGE, ...texts].map((path) => readFileSync(join(root, path), 'utf8'))
  const version = createHash('sha256')
    .update([css, ...sources].join('\n'))
    .digest('hex')
    .slice(0, 12)
  const path = join(clientDir, 'service-worker.js')
  const worker = readFileSync(path, 'utf8').replace('__VERSION__', version)
  writeFileSync(path, transformSync(worker, { minify: true }).code)
}
