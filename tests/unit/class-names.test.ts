import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shortClassNames } from '#build/classNames.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const classesIn = (css: string) => [...new Set([...css.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? ''))]

test('classes of a build are short, each its own, none a global one, and the same when it is built again', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => join(ROOT, 'src', file))
  const nameOf = shortClassNames(ROOT, ['src', 'pages'])
  const again = shortClassNames(ROOT, ['src', 'pages'])
  const names = files.flatMap((file) => {
    const css = readFileSync(file, 'utf8')
    const made = classesIn(css).map((name) => nameOf(name, file, css))
    expect(classesIn(css).map((name) => again(name, file, css))).toEqual(made)
    return made
  })
  expect(files.length).toBeGreaterThan(50)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[q-z][a-z][\da-z]{1,2}$/.test(name))).toEqual([])
  const globals = classesIn(readFileSync(join(ROOT, 'src/styles/base.css'), 'utf8'))
  expect(names.filter((name) => globals.includes(name))).toEqual([])
})
