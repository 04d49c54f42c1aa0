import { expect, test, vi } from 'vitest'
import { prepareRepeated } from '#db/pool.server.ts'

test('prepares a statement at its second use, up to a number of statements', () => {
  const unsafe = vi.fn()
  const ask = prepareRepeated(unsafe)
  const isPrepared = (text: string, parameters: string[] = ['1']) => {
    ask(text, parameters, { prepare: false })
    return unsafe.mock.lastCall?.[2].prepare
  }
  expect([isPrepared('select $1'), isPrepared('select $1'), isPrepared('select $1')]).toEqual([false, true, true])
  // queries without parameters stay unprepared: they may contain several statements, which PostgreSQL cannot prepare
  expect([isPrepared('begin', []), isPrepared('begin', [])]).toEqual([false, false])
  const texts = Array.from({ length: 2000 }, (_, index) => `select $1 + ${index}`)
  const prepared = texts.filter((text) => isPrepared(text) || isPrepared(text))
  expect(prepared.length).toBeGreaterThan(100)
  expect(prepared.length).toBeLessThan(400)
  expect(isPrepared('select $1')).toBe(true)
})
