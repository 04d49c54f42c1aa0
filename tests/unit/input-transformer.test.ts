import superjson from 'superjson'
import { describe, expect, test } from 'vitest'
import { inputTransformer } from '#server/core/security/inputTransformer.ts'

const { serialize, deserialize } = inputTransformer
const overWire = (input: unknown) => deserialize(JSON.parse(JSON.stringify(serialize(input))))

describe('accepts inputs of our client', () => {
  const date = new Date('2026-11-22T10:00:00.000Z')
  test.each([
    ['nothing', undefined],
    ['plain fields', { boardId: 'tech', page: 2, flags: [true, null] }],
    ['a missing field', { boardId: 'tech', cursor: undefined }],
    ['a date as the whole input', date],
    ['dates in lists', { list: [{ at: date }, { at: date }] }],
    ['a field with dots and backslashes in its name', { 'a.b\\c': date }],
    ['one object at two places', { first: ['x'], second: ['x'] }],
  ])('%s', (_name, input) => {
    expect(overWire(input)).toEqual(input)
  })

  test('accepts the same object twice in an input', () => {
    const shared = { at: date }
    expect(overWire({ a: shared, b: shared })).toEqual({ a: shared, b: shared })
  })
})

class Custom {}
superjson.registerClass(Custom, { identifier: 'CustomOfATest' })

describe('rejects inputs that no client sends', () => {
  const value = { length: 4e9 }
  test.each<[string, unknown]>([
    ...['bigint', 'Error', 'regexp', 'set', 'map', 'number', 'URL', 'nothing', 'toString', '__proto__'].map(
      (type): [string, unknown] => [type, { json: { x: '1' }, meta: { values: { x: [type] } } }],
    ),
    ...['symbol', 'class', 'custom', 'typed-array'].map((type): [string, unknown] => [
      type,
      { json: { x: value }, meta: { values: { x: [[type, 'Uint8Array']] } } },
    ]),
    ['a registered class', serialize(new Custom())],
    ['a typed array as the whole input', { json: value, meta: { values: [['typed-array', 'Uint8Array']] } }],
    ['a set around a date', { json: ['x'], meta: { values: ['set', { 0: ['Date'] }] } }],
    ['a date with children', { json: { x: '1' }, meta: { values: { x: ['Date', { y: ['Date'] }] } } }],
    ['a date of a number', { json: { x: 1 }, meta: { values: { x: ['Date'] } } }],
    ['a path to nowhere', { json: {}, meta: { values: { x: ['undefined'] } } }],
    ['a path through a text', { json: { x: 'abc' }, meta: { values: { 'x.0': ['undefined'] } } }],
    ['a path to the length of a list', { json: { x: [] }, meta: { values: { 'x.length': ['undefined'] } } }],
    ['a path to a place behind a list', { json: { x: [] }, meta: { values: { 'x.9': ['undefined'] } } }],
    ['a path with a lone backslash', { json: { x: '' }, meta: { values: { 'x\\y': ['undefined'] } } }],
    ['a path with nothing between dots', { json: { x: { '': 1 } }, meta: { values: { 'x.': ['undefined'] } } }],
    ...['__proto__', 'constructor', 'prototype', '__proto__.x', 'constructor.prototype.x', 'x.__proto__.y'].map(
      (path): [string, unknown] => [path, { json: { x: {} }, meta: { values: { [path]: ['undefined'] } } }],
    ),
    ['a key of the prototype', JSON.parse('{"json":{"__proto__":{"x":1}}}')],
    ['a list in place of an envelope', []],
    ['a text in place of an envelope', 'x'],
    ['meta that is no object', { json: {}, meta: 1 }],
    ['values that are no object', { json: {}, meta: { values: 'Date' } }],
  ])('%s', (_name, payload) => {
    expect(() => deserialize(payload)).toThrow('The request could not be read')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('rejects any nesting beyond the limit', () => {
    const nested = (depth: number) => JSON.parse(`{"json":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect(deserialize(nested(15))).toBeInstanceOf(Array)
    expect(() => deserialize(nested(30))).toThrow('The request could not be read')
    expect(() => deserialize(nested(60_000))).toThrow('The request could not be read')
  })

  test('rejects too many values', () => {
    expect(deserialize({ json: Array(1000).fill(0) })).toHaveLength(1000)
    expect(() => deserialize({ json: Array(5000).fill(0) })).toThrow('The request could not be read')
    const values = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, ['undefined']]))
    expect(() => deserialize({ json: {}, meta: { values } })).toThrow('The request could not be read')
  })
})
