import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fc, seed } from '#tests/helpers/property.ts'

test('random tests use the seed of the run', () => {
  expect(String(seed)).toBe(process.env.TEST_SEED)
  expect(fc.readConfigureGlobal().seed).toBe(seed)
  const drawn = () => {
    const values: number[] = []
    fc.assert(fc.property(fc.nat(), (value) => void values.push(value)))
    return values
  }
  expect(drawn()).toEqual(drawn())
})

test('every random test uses the seed', () => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((file) => /\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  const unseeded = files.filter((file) => /from 'fast-check'/.test(readFileSync(`tests/${file}`, 'utf8')))
  expect(unseeded.filter((file) => file !== 'unit/seeds.test.ts')).toEqual([])
})
