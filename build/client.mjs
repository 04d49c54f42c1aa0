// Builds the typed client (src/client) as a folder that `npm pack` packs: dist/client.
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { generateRouterTypes } from './clientTypes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src/client')
const target = join(root, 'dist/client')

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
await build({
  entryPoints: [join(source, 'index.ts')],
  outfile: join(target, 'index.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
writeFileSync(join(target, 'router.d.ts'), generateRouterTypes(root, join(source, 'router.ts')))
// Declares only this file: what it imports is generated, or hidden behind declared types.
const flags = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--noResolve', '--rootDir', source]
spawnSync(process.execPath, [
  join(root, 'node_modules/typescript/bin/tsc'),
  ...flags,
  '--outDir',
  target,
  join(source, 'index.ts'),
])
const declarations = readFileSync(join(target, 'index.d.ts'), 'utf8')
writeFileSync(join(target, 'index.d.ts'), declarations.replaceAll('./router.ts', './router.js'))
// The client has the version of the site, and its versions of the dependencies.
const site = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { name, dependencies, ...others } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const all = { ...site.dependencies, ...site.devDependencies }
const versions = Object.fromEntries(Object.keys(dependencies).map((one) => [one, all[one]]))
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ name, version: site.version, ...others, dependencies: versions }, null, 2)}\n`,
)
copyFileSync(join(source, 'README.md'), join(target, 'README.md'))
cpSync(join(source, 'examples'), join(target, 'examples'), { recursive: true })
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
