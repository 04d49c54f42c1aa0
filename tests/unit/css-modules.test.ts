import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const files = ['src', 'pages'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
)
const readAll = (extension: string) =>
  files.filter((path) => path.endsWith(extension)).map((path) => ({ path, source: readFileSync(path, 'utf8') }))
const components = readAll('.tsx')

const resolve = (from: string, url: string) => (url.startsWith('#') ? url.slice(1) : join(dirname(from), url))

/** Lists the classes that components use from CSS modules, as `stylesheet class`. */
const usedClasses = components.flatMap(({ path, source }) =>
  [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)].flatMap(([, name, url = '']) =>
    [...source.matchAll(new RegExp(`(?<![/\\w])${name}\\.(\\w+)`, 'g'))].map(
      ([, used]) => `${resolve(path, url)} ${used}`,
    ),
  ),
)

test('every class that a component uses is in its stylesheet', () => {
  expect(usedClasses.length).toBeGreaterThan(400)
  const missing = usedClasses.filter((entry) => {
    const [stylesheet = '', name] = entry.split(' ')
    return !new RegExp(`\\.${name}\\b`).test(readFileSync(stylesheet, 'utf8'))
  })
  expect(missing).toEqual([])
})

// In pixels, a larger font of the browser's settings would not fit into the layout.
test('no media query has a width in pixels', () => {
  const pixels = readAll('.css').flatMap(({ path, source }) =>
    [...source.matchAll(/@media[^{]*(?:width|height): ?[\d.]+px/g)].map(([rule]) => [path, rule]),
  )
  expect(pixels).toEqual([])
})

// Chrome 123 to 129, which the build supports, match no pseudo-element there.
test('no pseudo-element contains a media query', () => {
  const nested = readAll('.css').flatMap(({ path, source }) =>
    [...source.replace(/\/\*.*?\*\//gs, '').matchAll(/::[\w-]+[^{};]*\{[^{}]*@\w+/g)].map(([rule]) => [path, rule]),
  )
  expect(nested).toEqual([])
})
