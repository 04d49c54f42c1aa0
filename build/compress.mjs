import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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
