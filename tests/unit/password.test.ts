import { describe, expect, test } from 'vitest'
import { entropyBits, generatePassword, PASSWORD_LENGTHS, passwordClasses, strengthOf } from '#src/lib/password.ts'

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '!@#$%^&*()_+-=[]{}|;:,.<>?']
const ALL = CLASSES.join('')
const SAMPLES = 40_000

const chiSquared = (observed: number[], expected: number[]) =>
  observed.reduce((sum, count, index) => {
    const wanted = expected[index] as number
    return sum + (count - wanted) ** 2 / wanted
  }, 0)

/**
 * Returns a bound that chi-squared exceeds by chance in at most one of 10^12 tests (Laurent and Massart):
 * P(X >= k + 2 sqrt(k t) + 2 t) <= exp(-t). All tests here together fail by chance less than once in 10^9 runs.
 */
const bound = (degrees: number, oneIn = 1e12) =>
  degrees + 2 * Math.sqrt(degrees * Math.log(oneIn)) + 2 * Math.log(oneIn)

/** Counts the strings of a given length that contain all character classes, by inclusion and exclusion. */
function countOf(sizes: number[], length: number): number {
  const ways = (total: number, [first, ...rest]: number[]): number =>
    first === undefined ? total ** length : ways(total, rest) - ways(total - first, rest)
  return ways(
    sizes.reduce((sum, size) => sum + size, 0),
    sizes,
  )
}

describe.each(PASSWORD_LENGTHS)('passwords of %i characters', (length) => {
  const passwords = Array.from({ length: SAMPLES }, () => generatePassword(length))

  test('have the right length and characters of all four classes', () => {
    const wrong = passwords.filter((password) => {
      const found = [...password].map((one) => CLASSES.findIndex((members) => members.includes(one)))
      return password.length !== length || found.includes(-1) || new Set(found).size !== CLASSES.length
    })
    expect(wrong).toEqual([])
  })

  test('are uniform at every position', () => {
    // A class of s characters has a share of about s/88 at each position.
    // The share is not exact, because incomplete passwords are redrawn.
    const sizes = CLASSES.map((members) => members.length)
    const whole = countOf(sizes, length)
    const share = sizes.map((size, index) => {
      const others = sizes.filter((_, other) => other !== index)
      // counts the remaining characters' combinations that contain all other classes
      const rest = (total: number, [first, ...left]: number[]): number =>
        first === undefined ? total ** (length - 1) : rest(total, left) - rest(total - first, left)
      return (size * rest(88, others)) / whole
    })
    expect(share.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
    for (let position = 0; position < length; position++) {
      const classCounts = CLASSES.map(
        (members) => passwords.filter((password) => members.includes(password.charAt(position))).length,
      )
      expect(
        chiSquared(
          classCounts,
          share.map((one) => one * SAMPLES),
        ),
      ).toBeLessThan(bound(3))
      const counts = new Map([...ALL].map((character) => [character, 0]))
      for (const password of passwords) {
        const character = password.charAt(position)
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
      const expected = CLASSES.flatMap((members, index) =>
        [...members].map(() => ((share[index] as number) / members.length) * SAMPLES),
      )
      expect(chiSquared([...counts.values()], expected)).toBeLessThan(bound(87))
    }
  })

  test('have independent neighbours', () => {
    const pairs = CLASSES.map(() => CLASSES.map(() => 0))
    for (const password of passwords) {
      const [first, second] = [...password.slice(0, 2)].map((one) => CLASSES.findIndex((set) => set.includes(one)))
      const row = pairs[first as number] as number[]
      row[second as number] = (row[second as number] as number) + 1
    }
    const sizes = CLASSES.map((members) => members.length)
    const whole = countOf(sizes, length)
    const expected = pairs.flatMap((row, first) =>
      row.map((_, second) => {
        const needed = sizes.filter((_, other) => other !== first && other !== second)
        const rest = (total: number, [one, ...left]: number[]): number =>
          one === undefined ? total ** (length - 2) : rest(total, left) - rest(total - one, left)
        return (((sizes[first] as number) * (sizes[second] as number) * rest(88, needed)) / whole) * SAMPLES
      }),
    )
    expect(chiSquared(pairs.flat(), expected)).toBeLessThan(bound(15))
  })

  test('have the entropy of all possible passwords', () => {
    expect(entropyBits(length)).toBeCloseTo(Math.log2(countOf([26, 26, 10, 26], length)), 6)
    expect(entropyBits(length)).toBeLessThan(length * Math.log2(88))
  })
})

describe('generatePassword', () => {
  test('rejects random bytes that would bias a character', () => {
    const bytes = [175, 176, 200, 255, 0, 87, 88, 26, 52, 62]
    const fill = (target: Uint8Array) => target.set([...bytes, ...Array(64).fill(1)].slice(0, target.length))
    // bytes from 176 (2 × 88) on are rejected; other bytes select a character by `byte % 88`
    expect(generatePassword(7, fill)).toBe('?a?aA0!')
  })

  test('redraws a whole password that lacks a class', () => {
    const draws = [0, 0, 0, 0, 0, 0, 0, 0, 26, 52, 62, 0, 1, 2, 3, 4]
    let reads = 0
    const fill = (target: Uint8Array) => {
      reads++
      target.fill(0)
      target.set(draws)
    }
    expect(generatePassword(8, fill)).toBe('A0!abcde')
    expect(reads).toBe(1)
  })

  test('rejects lengths that cannot contain all classes', () => {
    expect(() => generatePassword(3)).toThrow(RangeError)
    expect(generatePassword(4)).toHaveLength(4)
    expect(entropyBits(4)).toBeCloseTo(Math.log2(24 * 26 * 26 * 10 * 26), 9)
  })
})

test('the uniformity test detects modulo bias', () => {
  const counts = Array<number>(ALL.length).fill(0)
  for (let number = 0; number < SAMPLES; number++) {
    const index = (number % 256) % ALL.length
    counts[index] = (counts[index] as number) + 1
  }
  expect(chiSquared(counts, Array<number>(ALL.length).fill(SAMPLES / ALL.length))).toBeGreaterThan(bound(87))
})

test('uses the special characters of the specification', () => {
  expect(passwordClasses.special).toBe('!@#$%^&*()_+-=[]{}|;:,.<>?')
  expect(Object.values(passwordClasses).join('')).toBe(ALL)
  expect(new Set(ALL).size).toBe(88)
})

test.each([
  [4, 'Weak'],
  [7, 'Weak'],
  [8, 'Medium'],
  [11, 'Medium'],
  [12, 'Strong'],
  [16, 'Strong'],
])('rates %i characters as %s', (length, strength) => {
  expect(strengthOf(length)).toBe(strength)
})
