import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { transformSync } from 'esbuild'

const TEXTS = /\.(?:js|css|svg|json|txt|xml|ico|webmanifest)$/
/** Compression saves little for smaller files. A first visit loads nine scripts of 300 to 1,000 bytes. */
const MIN_BYTES = 256

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes a brotli and a gzip version of each text file in a folder, at the highest level.
 * @param {string} folder
 */
export async function compressTexts(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name))
  await Promise.all(texts.map((entry) => compress(join(entry.parentPath, entry.name))))
}

/** @param {string} path */
async function compress(path) {
  if ((await stat(path)).size < MIN_BYTES) return
  const text = await readFile(path)
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT } = constants
  const params = {
    [BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  const forms = { '.br': brotli(text, { params }), '.gz': zip(text, { level: constants.Z_BEST_COMPRESSION }) }
  for (const [ending, form] of Object.entries(forms)) {
    const bytes = await form
    if (bytes.length < text.length) await writeFile(`${path}${ending}`, bytes)
  }
}

const STYLES = ['tokens.css', 'waves.css', 'offline.css']
const PAGE = 'server/features/site/offlinePage.ts'
const CATALOGUES = 'src/i18n'

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
  const languages = readdirSync(join(root, CATALOGUES), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const texts = languages.flatMap(({ name }) => ['site.ts', 'ui.ts'].map((part) => join(CATALOGUES, name, part)))
  const sources = [PAGE, ...texts].map((path) => readFileSync(join(root, path), 'utf8'))
  const version = createHash('sha256')
    .update([css, ...sources].join('\n'))
    .digest('hex')
    .slice(0, 12)
  const path = join(clientDir, 'service-worker.js')
  const worker = readFileSync(path, 'utf8').replace('__VERSION__', version)
  writeFileSync(path, transformSync(worker, { minify: true }).code)
}
