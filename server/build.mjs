// Builds everything `npm start` runs: pages by Vite, the server and its commands by esbuild, the database's template.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as bundle, transformSync } from 'esbuild'
import { build as buildPages } from 'vike/api'
import { compressTexts } from '../build/compress.mjs'

process.env.NODE_ENV = 'production'
const root = fileURLToPath(new URL('..', import.meta.url))
const outdir = join(root, 'dist', 'site')

rmSync(join(root, 'dist'), { recursive: true, force: true })
await buildPages({ viteConfig: { root, logLevel: 'error' } })
await bundle({
  absWorkingDir: root,
  entryPoints: [
    'server/main.ts',
    'db/embedded.worker.ts',
    'db/template.server.ts',
    'server/features/paste/highlight.worker.ts',
    'server/core/images/image.child.ts',
    ...readdirSync(join(root, 'server/commands')).map((name) => `server/commands/${name}`),
  ],
  outdir,
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  external: ['./plugins/dev.ts'],
  sourcemap: true,
  logLevel: 'warning',
})
// it blocks the first paint, so its comments stay here
const early = transformSync(readFileSync(join(root, 'public/early.js'), 'utf8'), { minify: true })
writeFileSync(join(root, 'dist', 'client', 'early.js'), early.code)
await compressTexts(join(root, 'dist', 'client'))
// The track looks for its file beside the code that names it, and that is in the bundle.
copyFileSync(join(root, 'server/features/radio/demo/demo.mp3'), join(outdir, 'demo.mp3'))
const { makeTemplate } = await import(pathToFileURL(join(outdir, 'template.server.mjs')).href)
await makeTemplate(join(root, 'dist', 'template.tar.gz'))
writeFileSync(join(root, 'dist', 'built'), `${new Date().toISOString()}\n`)
