// Builds everything that `npm start` runs: the pages with Vite, the server and its commands with esbuild, and the
// database template. `--if-missing` builds only if there is no build, `--if-stale` only if the sources are newer.
import './nodeVersion.mjs'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getSystemErrorMap } from 'node:util'
import { build as bundle, transformSync } from 'esbuild'
import { build as buildPages } from 'vike/api'
import { buildOfflinePage, compressTexts } from '#build/clientFiles.mjs'
import { current, dist, isMissing, isStale, removeUnused, root, waitForEarlierBuilds } from './buildStore.mjs'

process.env.NODE_ENV = 'production'
const isNeeded = { '--if-missing': isMissing, '--if-stale': isStale }[process.argv[2]] ?? (() => true)

/**
 * Installed beside the built site: packages with machine code or files of their own, and large ones that few sites use. The
 * bundles contain all others, because a thousand small files take Node as long as the rest of the start.
 */
const installedPackages = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies)

/** @type {import('esbuild').BuildOptions} */
const BUNDLE_OPTIONS = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Prefers modules, because a bundle of modules cannot `require` what packages in the other format need.
  mainFields: ['module', 'main'],
  external: [...installedPackages, './plugins/pages/devServer.ts'],
  // Leaves out the other builds of React: the pages are built for this one.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [
    {
      name: 'less-of-packages',
      setup({ onLoad }) {
        // The contracts have texts of their own. `z` contains zod's texts in 50 languages.
        onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
          contents: "export { default as en } from './en.js'",
        }))
        // @fastify/static needs it only to add a route for each file of a folder, which the site does itself.
        onLoad({ filter: /\/glob\/dist\/commonjs\/index\.min\.js$/ }, () => ({ contents: '' }))
      },
    },
  ],
  // Bundled packages of the other module format call it.
  banner: {
    js: "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);",
  },
  // Node keeps the text of all modules in memory.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  lineLimit: 200,
  logLevel: 'warning',
}

if (isNeeded()) {
  // Only `npm start` reads the settings of a site.
  if (process.argv[2] === '--if-stale') await checkSettings()
  const folder = join(dist, `build-${new Date().toISOString().replace(/\D/g, '')}-${process.pid}`)
  createFolder(folder)
  await waitForEarlierBuilds(folder)
  const previous = existsSync(current) ? [realpathSync(current)] : []
  if (isNeeded()) {
    await buildInto(folder)
    switchTo(folder)
    // Keeps the previous build: a process that has just started may not have marked it yet.
    removeUnused([folder, ...previous])
  } else rmdirSync(folder)
}

/** @param {string} folder */
function createFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    const [, reason] = getSystemErrorMap().get(error.errno) ?? ['', error.message]
    process.stderr.write(`Cannot build the site in ${dist}: ${reason}. Build it as the user who owns this folder\n`)
    process.exit(1)
  }
}

/** Refuses wrong settings before the build, which takes half a minute. */
async function checkSettings() {
  try {
    const { tsImport } = await import('tsx/esm/api')
    const { readConfig } = await tsImport('./core/config/config.ts', import.meta.url)
    const { readSiteFile } = await tsImport('./core/config/siteFile.ts', import.meta.url)
    await readSiteFile(readConfig().siteFile)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** @param {string} folder */
async function buildInto(folder) {
  // Records the build's start: sources that change later make this build stale.
  writeFileSync(join(folder, 'built'), '')
  const site = join(folder, 'site')
  await buildPages({ viteConfig: { root, logLevel: 'error', build: { outDir: folder } } })
  await bundle({
    absWorkingDir: root,
    entryPoints: [
      'server/main.ts',
      'db/embedded/embedded.worker.ts',
      'db/embedded/pgliteSetup.server.ts',
      'server/features/paste/highlight.worker.ts',
      'server/core/media/image.child.ts',
      ...readdirSync(join(root, 'server/commands')).map((name) => `server/commands/${name}`),
      // Bundled with the server, so that both use the same Vike.
      join(folder, 'server', 'entry.mjs'),
    ].map((file) => ({ in: file, out: file.endsWith('entry.mjs') ? 'pages' : parse(file).name })),
    outdir: site,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    sourcemap: true,
    ...BUNDLE_OPTIONS,
  })
  for (const name of readdirSync(site)) if (name.endsWith('.mjs')) escapeTexts(join(site, name))
  const early = transformSync(readFileSync(join(root, 'pages/early.js'), 'utf8'), { minify: true })
  const hash = createHash('sha256').update(early.code).digest('hex').slice(0, 10)
  writeFileSync(join(folder, `client/assets/early-${hash}.js`), early.code)
  buildOfflinePage(root, join(folder, 'client'))
  await compressTexts(join(folder, 'client'))
  // At runtime, the code looks for the track beside the bundle.
  copyFileSync(join(root, 'server/features/radio/library/demo.mp3'), join(site, 'demo.mp3'))
  // A running build needs the migrations and the version that it was built with.
  cpSync(join(root, 'db/migrations'), join(folder, 'db/migrations'), { recursive: true })
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  const { createTemplate } = await import(pathToFileURL(join(site, 'pgliteSetup.server.mjs')).href)
  await createTemplate(join(folder, 'template.tar.gz'))
}

/**
 * Escapes characters beyond Latin-1, which esbuild leaves in regular expressions: with one of them, V8 keeps two bytes for
 * each character of the file.
 * @param {string} file
 */
function escapeTexts(file) {
  const toEscape = (/** @type {string} */ char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\xff]/g, toEscape))
}

/** Replaces the link atomically. @param {string} folder */
function switchTo(folder) {
  const link = `${current}.${process.pid}`
  symlinkSync(basename(folder), link)
  renameSync(link, current)
}
